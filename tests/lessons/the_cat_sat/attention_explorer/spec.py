"""The attention explorer: three tokens, from the score to the output."""

import math
import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, switched, typed

from lessons.kit.figures.registry import AttentionExplorer

FIGURE = AttentionExplorer
HOME = "notebooks/06_the_cat_sat.html"
KEYS = [
    ("The", "ArrowRight"),
    ("divide by √4", "Space"),
    ("look-ahead mask", "Space"),
    ("temperature", "ArrowRight"),
    ("Token 1, entry 1", "ArrowUp"),
    ("Token 2, entry 3", "5"),
    ("Name of token 2", "x"),
]
LABELS = ["CAT", "look-ahead mask"]
SLIDERS = ["temperature"]
SIZES = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 2)]  # tokens and width
REFUSED = [
    ({"tokens": ["a"]}, "tokens and vectors must be equally many, got 1 and 3"),
    ({"vectors": [[1], [2, 3], [4]]}, r"one length of at least 1, got \[1, 2\]"),
    ({"vectors": [[], [], []]}, r"one length of at least 1, got \[0\]"),
    ({"vectors": [["x"], [1], [2]]}, "not the str 'x'"),
    ({"vectors": [[1], [2], [10.5]]}, "vectors must lie between -10 and 10, got 10.5"),
    ({"tokens": [1, "b", "c"]}, "not the int 1"),
    ({"temperature": 0.0}, "temperature must be finite and greater than 0, got 0.0"),
    ({"temperature": math.nan}, "temperature must be finite and greater than 0, got nan"),
    ({"temperature": math.inf}, "temperature must be finite and greater than 0, got inf"),
    ({"selected": 3}, "selected must satisfy 0 <= selected < 3, got 3"),
]
LOST = (
    {"selected": 2},
    {"tokens": ["a"], "vectors": [[1.0, 2.0]]},
    "selected must satisfy 0 <= selected < 1, got 2",
)
OTHER_FORM = ["Vectors x (query, key and value at once)"]  # boxes


def make(**traits) -> AttentionExplorer:
    vectors = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]
    return AttentionExplorer(**({"tokens": ["The", "CAT", "SAT"], "vectors": vectors} | traits))


def cases() -> Iterator[AttentionExplorer]:
    for index, (tokens, width) in enumerate(SIZES):
        for causal in (False, True):
            yield AttentionExplorer(
                [f"t{i}" for i in range(tokens)],
                (3 * torch.randn(tokens, width, dtype=torch.float64)).tolist(),
                scaled=index % 2 == 0,
                temperature=0.1 + index,
                causal=causal,
            )


def randomize(host, dice: random.Random) -> dict:
    start = saved_state(host)
    width = len(start["vectors"][0])
    vectors = [
        typed(host, f"Token {i}, entry", width, dice, top=3)
        for i in range(1, len(start["vectors"]) + 1)
    ]
    temperature = round(dice.uniform(0.1, 5), 1)
    control(host, "temperature").fill(str(temperature))
    return {
        "vectors": vectors,
        "selected": picked(host, start["tokens"], dice),
        "scaled": switched(host, f"divide by √{width}", dice),
        "causal": switched(host, "look-ahead mask", dice),
        "temperature": temperature,
    }


def make_unusual(host) -> None:
    control(host, "look-ahead mask").check()
    control(host, "Token 1, entry 1").fill("no number")
