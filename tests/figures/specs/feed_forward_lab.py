"""The feed-forward lab: tokens side by side through one layer."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, slid
from torch import Tensor

from transformer_lite.figures import FeedForwardLab

FIGURE = FeedForwardLab
HOME = "notebooks/15_feed_forward.html"
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


def make(**traits) -> FeedForwardLab:
    chapter = {
        "names": ["Je", "suis"],
        "tokens": [[2, -1], [-1, 2]],
        "up": [[1, 0, -1, 1], [0, 1, 1, 1]],
        "up_bias": [-1, 0, 1, 0],
        "down": [[1, 1], [0, 1], [-0.5, 0.5], [1, 0.5]],
        "down_bias": [-1, 0.5],
    }
    return FeedForwardLab(**(chapter | traits))


def draw(*shape: int) -> list:
    return (6 * torch.rand(*shape, dtype=torch.float64) - 3).tolist()


def cases() -> Iterator[dict]:
    for count, width, units in SIZES:
        for kind in KINDS:
            figure = FeedForwardLab(
                [f"t{i}" for i in range(count)],
                draw(count, width),
                up=draw(width, units),
                up_bias=draw(units),
                down=draw(units, width),
                down_bias=draw(width),
                activation=kind,
                selected=count - 1,
            )
            yield {"state": figure.state(), "expected": figure.results()}


def expected(figure: FeedForwardLab) -> dict[str, Tensor]:
    return figure.results()


def randomize(host, dice: random.Random) -> FeedForwardLab:
    start = saved_state(host)
    tokens = [[slid(host, f"{name} {d}", TENTHS, dice) for d in (1, 2)] for name in start["names"]]
    labels = [f"Between the maps/{label}" for label in ("ReLU", "GELU", "nothing")]
    kind = KINDS[picked(host, labels, dice)]
    selected = picked(host, [f"Take apart/{name}" for name in start["names"]], dice)
    changed = {"tokens": tokens, "activation": kind, "selected": selected}
    return FeedForwardLab(**(start | changed))


def make_unusual(host) -> None:
    for label in ("Je 1", "Je 2"):
        control(host, label).fill("-1")
    control(host, "Take apart/suis").check()
