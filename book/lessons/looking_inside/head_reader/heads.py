"""What `make` has stored of MiniLM's reading, read back."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

LAYERS, HEADS = 6, 12
LEVELS = LAYERS + 1  # the embedding, and what each layer leaves
FILE = Path(__file__).with_name("heads.bin")
PIECES = Path(__file__).with_name("sentences.json")
PRECISION = {"roots": 255, "sizes": 1000, "cosines": 10**4}  # roots of weights: see `make`

Place = tuple[int, int]  # the index of a sentence, and of a piece in it


class Stored(NamedTuple):
    """The stored numbers, in float64.

    For each sentence of T tokens `weights` (L, H, T, T) and `sizes` (L, H, T); `others` (7,) are
    the cosines of two different words on average, and `alike` those of each two equal pieces.
    """

    weights: list[Tensor]
    sizes: list[Tensor]
    others: Tensor
    alike: dict[tuple[Place, Place], Tensor]


def places(pieces: list[list[str]]) -> list[Place]:
    """Return the places of all pieces, sentence by sentence.

    >>> places([["a", "b"], ["a"]])
    [(0, 0), (0, 1), (1, 0)]
    """
    return [(i, t) for i, sentence in enumerate(pieces) for t in range(len(sentence))]


def same_pieces(pieces: list[list[str]]) -> list[tuple[int, int]]:
    """Return the pairs of places, by their index in `places`, that have the same piece.

    >>> same_pieces([["a", "b"], ["a"]])
    [(0, 2)]
    """
    names = [pieces[i][t] for i, t in places(pieces)]
    return [(a, b) for a, b in combinations(range(len(names)), 2) if names[a] == names[b]]


@cache
def sentences() -> list[dict[str, str | list[str]]]:
    """Return the sentences, each with its `text` and its `pieces`."""
    listed: list[dict[str, str | list[str]]] = json.loads(PIECES.read_text(encoding="utf-8"))
    return listed


def all_pieces() -> list[list[str]]:
    """Return the pieces of every sentence, [CLS] first and [SEP] last."""
    return [list(sentence["pieces"]) for sentence in sentences()]


@cache
def stored() -> Stored:
    """Return what `make` has written."""
    pieces, content = all_pieces(), FILE.read_bytes()
    lengths, where = [len(parts) for parts in pieces], places(pieces)
    shapes: list[tuple[str, tuple[int, ...]]] = [("<u1", (LAYERS, HEADS, t, t)) for t in lengths]
    shapes += [("<u2", (LAYERS, HEADS, t)) for t in lengths]
    shapes += [("<i2", (LEVELS,)), ("<i2", (len(same_pieces(pieces)), LEVELS))]
    blocks, start = [], 0
    for kind, shape in shapes:
        count = int(np.prod(shape))
        block = np.frombuffer(content, kind, count, start).reshape(shape)
        blocks.append(torch.from_numpy(block.astype(np.float64)))
        start += block.nbytes
    count = len(pieces)
    others, alike = (x / PRECISION["cosines"] for x in blocks[2 * count :])
    return Stored(
        [x**2 / (x**2).sum(dim=-1, keepdim=True) for x in blocks[:count]],
        [x / PRECISION["sizes"] for x in blocks[count : 2 * count]],
        others,
        {(where[i], where[j]): x for (i, j), x in zip(same_pieces(pieces), alike, strict=True)},
    )
