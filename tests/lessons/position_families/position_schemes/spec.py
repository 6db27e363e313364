"""Position schemes: one score matrix under each scheme, at any position."""

import math
import random
from collections.abc import Iterator

import torch
from controls import control, picked, slid

from lessons.kit.figures.registry import PositionSchemes
from lessons.position_families.position_schemes.position_schemes import FARTHEST, SCHEMES
from lessons.position_families.position_schemes.position_schemes import WRITERS as WRITERS

FIGURE = PositionSchemes
HOME = "notebooks/13_position_families.html"
KEYS = [("sinusoidal", "ArrowRight"), ("first token at position", "ArrowRight")]
LABELS = ["RoPE", "Shaw"]
SLIDERS = ["first token at position"]
UNSEEN = ("curve",)  # drawn
TOKENS = ["The", "CAT", "SAT"]
EMBEDDINGS = [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
ROW = [0.0] * 4
LIMITS = {"shift": (0, 20)}
REFUSED = [
    ({"tokens": ["The", "CAT"]}, "tokens must have 3 entries, got 2"),
    ({"tokens": ["The", "CAT", 3]}, "not the int 3"),
    ({"embeddings": [ROW, ROW]}, "embeddings must have 3 entries, got 2"),
    ({"embeddings": [ROW, ROW, [1.0]]}, r"embeddings must share the length 4, got \[1, 4\]"),
    (
        {"embeddings": [ROW, ROW, [10.5, 0, 0, 0]]},
        "embeddings must lie between .* got 10.5",
    ),
    ({"learned": [ROW] * 2}, "learned must have 3 to 23 entries, got 2"),
    ({"learned": [ROW] * 24}, "learned must have 3 to 23 entries, got 24"),
    ({"vectors": [ROW] * 5}, "vectors must have 3 entries, got 5"),
    ({"vectors": [ROW, ROW, [math.nan] * 4]}, "vectors must lie between -10 and 10, got nan"),
    ({"numbers": [0.0] * 7}, "numbers must have 8 entries, got 7"),
    ({"numbers": [0.0] * 7 + [-11.0]}, "numbers must lie between -10 and 10, got -11.0"),
    ({"scheme": "rope"}, "scheme must be one of .* got 'rope'"),
]


def make(**traits) -> PositionSchemes:
    return PositionSchemes(**({"tokens": TOKENS, "embeddings": EMBEDDINGS} | traits))


def cases() -> Iterator[PositionSchemes]:
    def draw(*shape):
        return (2 * torch.randn(*shape, dtype=torch.float64)).clamp(-10, 10).tolist()

    for scheme in SCHEMES:
        for shift in (0, 1, 7, FARTHEST):
            yield make(
                embeddings=draw(3, 4),
                learned=draw(9, 4),
                vectors=draw(3, 4),
                numbers=draw(8),
                scheme=scheme,
                shift=shift,
            )


def randomize(host, dice: random.Random) -> dict:
    scheme = SCHEMES[picked(host, SCHEMES, dice)]
    shift = slid(host, "first token at position", list(range(FARTHEST + 1)), dice)
    return {"scheme": scheme, "shift": int(shift)}


def make_unusual(host) -> None:
    control(host, "learned").check()
    control(host, "first token at position").fill("7")
