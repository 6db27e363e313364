"""The feed-forward lab: tokens side by side through one layer."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, slid

from lessons.kit.figures.registry import FeedForwardLab

FIGURE = FeedForwardLab
HOME = "notebooks/18_feed_forward.html"
KEYS = [
    ("Je 1", "ArrowLeft"),
    ("suis 2", "ArrowDown"),
    ("Between the maps/ReLU", "ArrowRight"),
    ("Take apart/Je", "ArrowRight"),
]
LABELS = ["GELU", "nothing", "Take apart/suis"]
SLIDERS = ["Je 1", "Je 2", "suis 1"]
KINDS = ["relu", "gelu", "none"]
SIZES = [(2, 2, 4), (1, 3, 2), (3, 4, 6), (2, 2, 1)]  # tokens, width and units
TENTHS = [x / 10 for x in range(-30, 31)]
REFUSED = [
    ({"vectors": [[2, -1], [4, 0]]}, "vectors must lie between -3 and 3, got 4"),
    ({"vectors": [[2, -1], [float("nan"), 0]]}, "vectors must lie between -3 and 3, got nan"),
    ({"up": [[1, 0, -1, 1], [0, 1, 1, 9]]}, "up must lie between -3 and 3, got 9"),
    ({"up_bias": [-1, 0, 1, -3.5]}, "up_bias must lie between -3 and 3, got -3.5"),
    ({"down_bias": [0.5, 5]}, "down_bias must lie between -3 and 3, got 5"),
    ({"tokens": ["Je"]}, r"vectors must be 1 rows of 2, got rows of \[2, 2\]"),
    ({"tokens": [], "vectors": []}, "tokens must have 1 to 3 entries, got 0"),
    ({"tokens": list("abcd"), "vectors": [[0, 0]] * 4}, "tokens must have 1 to 3 .* got 4"),
    ({"vectors": [[2, -1], [1]]}, r"vectors must be 2 rows of 2, got rows of \[2, 1\]"),
    ({"up": [[1, 0, -1, 1]]}, r"up must be 2 rows of 4, got rows of \[4\]"),
    ({"down": [[1, 1]] * 3}, r"down must be 4 rows of 2, got rows of \[2, 2, 2\]"),
    ({"up_bias": [], "up": [[], []], "down": []}, "up_bias must have 1 to 6 entries, got 0"),
    ({"up_bias": [0] * 7}, "up_bias must have 1 to 6 entries, got 7"),
    ({"down_bias": [1]}, "down_bias must have 2 to 4 entries, got 1"),
    ({"down_bias": [1] * 5}, "down_bias must have 2 to 4 entries, got 5"),
    ({"selected": 2}, "selected must satisfy 0 <= selected < 2, got 2"),
    ({"selected": -1}, "selected must satisfy 0 <= selected < 2, got -1"),
    ({"activation": "tanh"}, "tanh"),
    ({"vectors": [["1", 2], [0, 0]]}, "'1'"),
]
LOST = (
    {"selected": 1},
    {"tokens": ["Je"], "vectors": [[2.0, -1.0]]},
    "selected must satisfy 0 <= selected < 1, got 1",
)
OTHER_FORM = ["The tokens x"]  # sliders


def make(**traits) -> FeedForwardLab:
    chapter = {
        "tokens": ["Je", "suis"],
        "vectors": [[2, -1], [-1, 2]],
        "up": [[1, 0, -1, 1], [0, 1, 1, 1]],
        "up_bias": [-1, 0, 1, 0],
        "down": [[1, 1], [0, 1], [-0.5, 0.5], [1, 0.5]],
        "down_bias": [-1, 0.5],
    }
    return FeedForwardLab(**(chapter | traits))


def draw(*shape: int) -> list:
    return (6 * torch.rand(*shape, dtype=torch.float64) - 3).tolist()


def cases() -> Iterator[FeedForwardLab]:
    for count, width, units in SIZES:
        for kind in KINDS:
            yield FeedForwardLab(
                [f"t{i}" for i in range(count)],
                draw(count, width),
                up=draw(width, units),
                up_bias=draw(units),
                down=draw(units, width),
                down_bias=draw(width),
                activation=kind,
                selected=count - 1,
            )


def randomize(host, dice: random.Random) -> dict:
    words = saved_state(host)["tokens"]
    vectors = [[slid(host, f"{word} {d}", TENTHS, dice) for d in (1, 2)] for word in words]
    labels = [f"Between the maps/{label}" for label in ("ReLU", "GELU", "nothing")]
    kind = KINDS[picked(host, labels, dice)]
    selected = picked(host, [f"Take apart/{word}" for word in words], dice)
    return {"vectors": vectors, "activation": kind, "selected": selected}


def make_unusual(host) -> None:
    for label in ("Je 1", "Je 2"):
        control(host, label).fill("-1")
    control(host, "Take apart/suis").check()
