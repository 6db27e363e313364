"""Record the words again: ``python -m lessons.words_as_vectors.word_plane.record``.

The figure needs no vectors, only what can be measured between them: the inner products of MiniLM's
input embeddings, brought to length 1. From these follow every cosine, length and projection. They
go into ``vectors.json`` next to this file in millionths, with the place of each word on the plane
that keeps most of the words' variance, in ten-thousandths.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lite.files import write_whole
from transformer_lite.models.pretrained import minilm_embeddings

FILE = Path(__file__).with_name("vectors.json")
PRECISION = {"products": 10**6, "places": 10**4}

#: Not only words that make the famous examples come out: also what comes first where they fail.
_WORDS = """king queen kings monarch prince princess man woman boy girl father mother brother sister
uncle aunt paris france french rome italy italian florence milan berlin germany german madrid spain
spanish tokyo japan japanese kyoto athens greece greek london england english big bigger small
smaller larger good better best bad worse walk walking walked swim swimming swam cat cats dog dogs
horse horses bank river money water"""
WORDS = _WORDS.split()


def record() -> dict[str, Any]:
    """Return what the figure shows of MiniLM's vectors."""
    vectors, pieces = minilm_embeddings()
    unit = F.normalize(vectors[[pieces.index(word) for word in WORDS]].double(), dim=1)
    products = (PRECISION["products"] * unit @ unit.T).round().long().tolist()
    places = (PRECISION["places"] * main_plane(unit)).round().long().tolist()
    return {
        "words": WORDS,
        "products": [row[:i] for i, row in enumerate(products)],  # below the diagonal of ones
        "places": places,
    }


def main_plane(vectors: Tensor) -> Tensor:
    """Return where the rows lie on the plane that keeps most of their variance, shape (N, 2)."""
    centred = vectors - vectors.mean(dim=0)
    directions = torch.linalg.svd(centred, full_matrices=False).Vh[:2]
    largest = directions.abs().argmax(dim=1, keepdim=True)
    directions = directions * directions.gather(1, largest).sign()  # an axis has no sign of its own
    return centred @ directions.T


def main() -> None:
    """Record the words and write them."""
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in record().items()
    )
    write_whole(FILE, f"{{\n{lines}\n}}\n".encode())


if __name__ == "__main__":
    main()
