"""Compute the stored activations again: ``python -m lessons.looking_inside.head_reader.make``.

MiniLM reads twelve sentences written for this book. What the figure shows goes into ``heads.bin``
next to this file, which `heads.py` reads. The pieces of the sentences go into ``sentences.json``.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.looking_inside.head_reader.heads import (
    FILE,
    PIECES,
    PRECISION,
    places,
    same_pieces,
)
from transformer_lite.files import write_whole
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.models.pretrained import minilm
from transformer_lite.models.sentence_encoder import SentenceEncoder

_SENTENCES = """She opened an account at the bank.
The bank lends money to young farmers.
We had lunch on the bank of the river.
After the rain the river broke its bank.
He rowed to the bank and counted his money.
The bank beside the river closed at noon.
You can bank on her help.
A bank of fog hid the harbour.
The black cat watched the black dog.
The letters from my sister are long.
Anna gave Paul the book because he asked.
Ice melts, water boils and steam rises."""
SENTENCES = _SENTENCES.splitlines()


def value_sizes(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """Return how long what each token hands over is, shape (B, H, S): the norm of its value W^O.

    A head adds the mixture of these vectors, so that weight times size is what a token adds.

    Reference: Kobayashi et al. 2020, section 3.
    """
    values = attention.project(x)[2]
    out = attention.out_proj.weight.unflatten(1, (attention.num_heads, -1))
    return torch.einsum("bhsk,dhk->bhsd", values, out).norm(dim=-1)


def rounded_roots(weights: Tensor) -> Tensor:
    """Return the roots of weights as whole numbers; the largest of each row becomes 255.

    Roots keep what matters beside a large weight: small ones, which may stand on long vectors.

    >>> rounded_roots(torch.tensor([0.81, 0.18, 0.01]))
    tensor([255, 120,  28])
    """
    shares = weights.double() / weights.double().amax(dim=-1, keepdim=True)
    return (PRECISION["roots"] * shares.sqrt()).round().long()


def read(encoder: SentenceEncoder, sentence: str) -> dict[str, Tensor]:
    """Return what MiniLM does with a sentence of T tokens.

    `weights` (L, H, T, T), `sizes` (L, H, T) and `states` (L + 1, T, D), the embedding first.
    """
    states = torch.stack(encoder.hidden_states([sentence]))
    layers = [part for part in encoder.modules() if isinstance(part, MultiHeadAttention)]
    sizes = [value_sizes(part, x) for part, x in zip(layers, states, strict=False)]
    return {
        "weights": encoder.attention([sentence])[:, 0],
        "sizes": torch.cat(sizes),
        "states": states[:, 0],
    }


def cosines(states: list[Tensor], pieces: list[list[str]]) -> tuple[Tensor, Tensor]:
    """Return cosines level by level, (7,) and (N, 7): of different words, and of the same piece.

    The first are means over all pairs of two different words of two sentences: how alike any two
    are. The second are those of the N pairs that `same_pieces` lists.
    """
    vectors = F.normalize(torch.cat(states, dim=1).double(), dim=-1)
    table, where = vectors @ vectors.mT, places(pieces)
    words = [(k, at) for k, at in enumerate(where) if pieces[at[0]][at[1]].strip("#").isalnum()]
    others = [
        (i, j)
        for (i, (a, s)), (j, (b, t)) in combinations(words, 2)
        if a != b and pieces[a][s] != pieces[b][t]
    ]
    alike = same_pieces(pieces)
    return (
        torch.stack([table[:, i, j] for i, j in others]).mean(dim=0),
        torch.stack([table[:, i, j] for i, j in alike]),
    )


@torch.inference_mode()
def record(encoder: SentenceEncoder) -> tuple[bytes, list[list[str]]]:
    """Return the bytes of ``heads.bin`` and the pieces of the sentences."""
    pieces = [encoder.tokens([sentence]).pieces[0] for sentence in SENTENCES]
    found = [read(encoder, sentence) for sentence in SENTENCES]
    numbers = {
        "<u1": [rounded_roots(one["weights"]) for one in found],
        "<u2": [(PRECISION["sizes"] * one["sizes"]).round() for one in found],
        "<i2": [
            (PRECISION["cosines"] * x).round()
            for x in cosines([one["states"] for one in found], pieces)
        ],
    }
    blocks = [x.numpy().astype(kind).tobytes() for kind, all_ in numbers.items() for x in all_]
    return b"".join(blocks), pieces


def main(file: Path = FILE, pieces_file: Path = PIECES) -> None:
    """Read the sentences and write what the figure needs."""
    content, pieces = record(minilm())
    write_whole(file, content)
    lines = ",\n".join(
        f"  {json.dumps({'text': text, 'pieces': parts}, ensure_ascii=False)}"
        for text, parts in zip(SENTENCES, pieces, strict=True)
    )
    write_whole(pieces_file, f"[\n{lines}\n]\n".encode())


if __name__ == "__main__":
    main()
