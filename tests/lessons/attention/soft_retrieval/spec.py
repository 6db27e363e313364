"""Soft retrieval: a query among keys in the plane, and the mixture that it receives."""

import random
from collections.abc import Iterator

import torch
from controls import chosen, control, saved_state, slid

from lessons.attention.soft_retrieval.soft_retrieval import MATRICES
from lessons.kit.figures.registry import SoftRetrieval

FIGURE = SoftRetrieval
HOME = "notebooks/05_attention.html"
HANDLE = "Query: drag it or use the arrow keys"
KEYS = [
    (HANDLE, "ArrowLeft"),
    (HANDLE, "ArrowUp"),
    ("query: water", "ArrowRight"),
    ("query: money", "End"),
    ("sharpness", "Home"),
    ("values", "ArrowDown"),
]
LABELS = []  # a click on the label of a slider or of a menu only moves the focus
SLIDERS = ["query: water", "query: money", "sharpness"]
STEPS = [i / 10 for i in range(-40, 41)]
LIMITS = {"sharpness": (0.0, 4.0)}
REFUSED = [
    ({"words": ["a", "b"]}, "words and places must be equally many, got 2 and 3"),
    ({"words": ["a"], "places": [[0, 0]]}, "words must have 2 to 8 entries, got 1"),
    ({"words": ["a"] * 9, "places": [[0, 0]] * 9}, "words must have 2 to 8 entries, got 9"),
    ({"places": [[0, 0], [0, 0], [0, 0, 0]]}, r"places must share the length 2, got \[2, 3\]"),
    ({"places": [[0, 0], [0, 0], [0, 4.1]]}, "places must lie between -4 and 4, got 4.1"),
    ({"places": [[0, 0], [0, 0], [0, float("nan")]]}, "between -4 and 4, got nan"),
    ({"query": [1]}, r"query must share the length 2, got \[1\]"),
    ({"query": [1, -5]}, "query must lie between -4 and 4, got -5"),
    ({"features": ["water"]}, "features must have 2 entries, got 1"),
    ({"values": "keys only"}, "keys only"),
]
OTHER_FORM = ["Query"]  # sliders


def make(**traits) -> SoftRetrieval:
    first = {"words": ["a", "b", "c"], "places": [[3, 0], [0, 2.5], [-1, -2]]}
    return SoftRetrieval(**(first | {"query": [1, 1]} | traits))


def cases() -> Iterator[SoftRetrieval]:
    for case in range(12):
        count = 2 + case % 5
        yield SoftRetrieval(
            [f"word {i}" for i in range(count)],
            (8 * torch.rand(count, 2, dtype=torch.float64) - 4).tolist(),
            query=(8 * torch.rand(2, dtype=torch.float64) - 4).tolist(),
            sharpness=[0, 0.3, 1, 4][case % 4],
            values=list(MATRICES)[case % 3],
        )


def randomize(host, dice: random.Random) -> dict:
    start = saved_state(host)
    return {
        "query": [slid(host, f"query: {name}", STEPS, dice) for name in start["features"]],
        "sharpness": slid(host, "sharpness", STEPS[40:], dice),
        "values": list(MATRICES)[chosen(host, "values", len(MATRICES), dice)],
    }


def make_unusual(host) -> None:
    control(host, "query: water").fill("-4")
    control(host, "sharpness").fill("0")
    control(host, "values").select_option(index=2)
