"""What a model reads, a text cut in three ways, the merges of a word, and the way to ids."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from lessons.kit.diagrams import Diagram, Node, arrow, box, draw, grid, row, space, text
from lessons.tokens.gpt2 import STRAWBERRY, token_id
from transformer_lite.text.bpe import BytePairEncoding, learn_merges, merged
from transformer_lite.text.byte_alphabet import ALPHABET

PIPER = "Peter Piper picked a peck of pickled peppers"
MERGES = 6


def what_is_read() -> Diagram:
    """Draw strawberry as a person reads it, and as GPT-2 does, with and without a space."""
    letter = 44
    read = (box(c, "weight" if c == "r" else "data", width=letter) for c in "strawberry")
    lines: list[list[Node | None]] = [[text("you: 10 letters", bold=True), row(*read, gap=0)]]
    for name, word in {"GPT-2": "strawberry", "after a space": "Ġstrawberry"}.items():
        pieces = [*word]
        for merge in STRAWBERRY:
            pieces = merged(pieces, merge)
        boxes = (
            box(str(token_id(piece)), note=_plain(piece), width=letter * len(piece.lstrip("Ġ")))
            for piece in pieces
        )
        count = f"{len(pieces)} token{'s' * (len(pieces) > 1)}"
        lines.append([text(f"{name}: {count}", bold=True), row(*boxes, gap=0)])
    return draw(
        grid(lines, gap=(14, 18)),
        alt="The word strawberry, read in three ways. You read ten letters, and three of them, "
        "marked, are r. GPT-2 reads three tokens, st, raw and berry, as the "
        "ids 301, 1831 and 8396. After a space it reads a single token, the id 41236. No r is "
        "left in either.",
        caption="What you read, and what GPT-2 reads: numbers, in which no letter is left.",
    )


def three_cuts() -> Diagram:
    """Draw two words as words, as characters and as pieces."""
    said = "picked peppers"
    pieces = [piece for word in said.split() for piece in _steps(word)[-1][1]]
    ways = {"words": said.split(), "characters": [*said.replace(" ", "·")], "subwords": pieces}
    kinds = {"words": "plain", "characters": "data", "subwords": "output"}
    cuts = {
        name: row(*(box(piece, kinds[name]) for piece in cut), gap=4) for name, cut in ways.items()
    }
    widest = max(cut.width for cut in cuts.values())
    lines: list[list[Node | None]] = [
        [
            text(f"{name}: {len(ways[name])}", bold=True),
            row(cut, space(widest - cut.width), gap=0),  # all begin at the left
        ]
        for name, cut in cuts.items()
    ]
    return draw(
        grid(lines, gap=(10, 16)),
        alt="The text picked peppers, cut in three ways. As words it is two tokens. As characters "
        "it is fourteen, the space among them. As subwords, with six merges learned from the "
        "tongue-twister, it is six: pick, ed, pe, p, per and s.",
        caption="The same text as words, characters (the dot is the space) and subwords.",
    )


def merges_of_a_word() -> Diagram:
    """From the letters of pickled to its three pieces, a row for each merge that changes it."""
    steps = _steps("pickled")
    lines: list[list[Node | None]] = []
    for merge, pieces in steps:
        fresh = "".join(merge) if merge else ""
        cut = (
            box(piece, "output" if piece == fresh else "data", width=44 * len(piece))
            for piece in pieces
        )
        name = f"{merge[0]} + {merge[1]}" if merge else "letters"
        lines.append([text(name, bold=merge is None), row(*cut, gap=0)])
    return draw(
        grid(lines, gap=16, align="center"),
        alt="The word pickled in five rows. First its seven letters: p, i, c, k, l, e, d. Then "
        "c and k become ck, e and d become ed, i and ck become ick, and p and ick become pick. "
        "What is left are three pieces: pick, l and ed.",
        caption="The merges that the tongue-twister taught, made in their order. Each row is one "
        "merge; the new piece has a thick frame.",
    )


def text_to_ids() -> Diagram:
    """Draw how a text is split into words, written as bytes, merged, and looked up."""
    tokenizer = BytePairEncoding.train([PIPER], 260 + 25)
    said = "a naïve peck"
    chunks = ["a", " naïve", " peck"]
    whole = box(said, "data")
    rows: dict[str, tuple[str, Callable[[str], str]]] = {
        "words": ("data", lambda chunk: chunk.replace(" ", "·")),
        "bytes": ("plain", lambda chunk: chunk.encode().hex(" ")),
        "pieces": ("output", lambda chunk: " | ".join(map(_plain, tokenizer.pieces(chunk)))),
        "ids": ("data", lambda chunk: " ".join(map(str, tokenizer.encode(chunk)))),
    }
    lines: list[list[Node | None]] = [[text("text", bold=True), None, whole, None]]
    for name, (kind, show) in rows.items():
        lines.append([text(name, bold=True), *(box(show(chunk), kind) for chunk in chunks)])
    links = [arrow(whole, node) for node in _boxes(lines[1])]
    for above, below in pairwise(lines[1:]):
        links += [arrow(*pair) for pair in zip(_boxes(above), _boxes(below), strict=True)]
    return draw(
        grid(lines, gap=(26, 30)),
        *links,
        alt="The text a naïve peck on its way to ids, in five rows. It is cut into a, space naïve "
        "and space peck. Each part is written as bytes in hexadecimal; the ï is two bytes, c3 "
        "and af. Merges join bytes by rank: space peck, which occurs in the training text, "
        "becomes one piece, while the letters of naïve and the two bytes of its ï stay alone. "
        "The last row shows the ids.",
        caption="A dot is a space. No step can meet a text that it does not know.",
    )


def _steps(word: str) -> list[tuple[tuple[str, str] | None, list[str]]]:
    """Draw the pieces of a word: its letters, then after each merge that changes it."""
    counts = Counter(PIPER.split())
    merges = learn_merges(counts, len({*"".join(counts)}) + MERGES)
    steps: list[tuple[tuple[str, str] | None, list[str]]] = [(None, [*word])]
    for merge in merges:
        pieces = merged(steps[-1][1], merge)
        if pieces != steps[-1][1]:
            steps.append((merge, pieces))
    return steps


def _plain(piece: str) -> str:
    """Write a piece with letters that every font has: a dot for the space, bytes as numbers."""
    codes = [ALPHABET.index(character) for character in piece]
    return "".join("·" if c == 32 else chr(c) if c < 127 else f"{c:02x}" for c in codes)


def _boxes(line: list[Node | None]) -> list[Node]:
    return [node for node in line[1:] if node is not None]
