"""The merges of GPT-2 that occur inside one word, with their ranks.

GPT-2's published list has 50,000 merges. These are all that join two pieces of *strawberry*, with
and without the space before it. GPT-2 numbers its tokens in the order of the list, after the 256
bytes, so the merge of rank r makes token 256 + r.

Reference: Radford et al. 2019; the file `vocab.bpe`, which was published with the model.
"""

__all__ = ["STRAWBERRY", "token_id"]

_RANKED = """
7 e r, 8 Ġ s, 45 s t, 80 Ġs t, 174 r a, 271 b er, 307 r y, 451 a w, 709 Ġst r, 1094 b e,
1575 ra w, 1957 t r, 2280 st r, 3278 Ġst ra, 6740 er ry, 7800 er r, 8140 ber ry, 9279 t ra,
11788 st ra, 14531 Ġst raw, 20806 r r, 39090 w b, 40980 Ġstraw berry
"""

#: The merges, each with its rank in GPT-2's list, the first one learned first.
STRAWBERRY: dict[tuple[str, str], int] = {
    (left, right): int(rank)
    for rank, left, right in (merge.split() for merge in _RANKED.split(","))
}


def token_id(piece: str) -> int:
    """Return GPT-2's id of a piece of *strawberry* that one of the merges makes.

    >>> token_id("berry")
    8396
    """
    return {"".join(pair): 256 + rank for pair, rank in STRAWBERRY.items()}[piece]
