"""Fifty sentences on their way through the machine, whole, as the package computes them."""

from base64 import b64encode
from collections.abc import Iterator

from torch import Tensor

from lessons.kit.machine import machine
from lessons.the_walk.walk.passing import SHARED, passing
from lessons.the_walk.walk.walk import PLACES
from lessons.trained.grammar import grammar_corpus

COUNT = 50
#: What the stations show of the parts of the machine, by the names that these have.
NAMES = {field["of"].format(**p.block) for p in PLACES.values() for field in p.station["fields"]}


def packed(matrix: Tensor) -> str:
    """Return the float32 bytes of a matrix, as text."""
    return b64encode(matrix.float().contiguous().numpy().tobytes()).decode("ascii")


def sentences() -> Iterator[dict]:
    """Yield each sentence with its translation, and every matrix by its name.

    Of the logits, which are many, only those of the last word.
    """
    pairs = grammar_corpus(seed=23, size=8 * COUNT, held_out=1).train
    words = machine()[1].pieces
    texts = {pair.source for pair in pairs if len(words(pair.source)) <= SHARED["words"]}
    for text in sorted(texts)[:COUNT]:
        found = passing(text)
        seen = {name: x for name, x in found.seen.items() if name in NAMES}
        seen["output"] = seen["output"][-1:]
        yield {
            "text": text,
            "ids": found.ids,
            "expected": {name: packed(matrix) for name, matrix in seen.items()},
        }
