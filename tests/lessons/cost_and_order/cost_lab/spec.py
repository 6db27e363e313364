"""The cost lab: the sizes of a stack of layers, and what it multiplies and holds."""

import random
from collections.abc import Iterator

from controls import control, slid, unfold

from lessons.cost_and_order.cost_lab.cost_lab import SHARED
from lessons.cost_and_order.cost_lab.cost_lab import WRITERS as WRITERS
from lessons.kit.figures.registry import CostLab

FIGURE = CostLab
HOME = "notebooks/10_cost_and_order.html"
KEYS = [
    ("tokens T", "ArrowRight"),
    ("width D", "ArrowLeft"),
    ("heads H", "ArrowRight"),
    ("layers", "ArrowRight"),
    ("mark where the lines cross", "Space"),
]
LABELS = ["mark where the lines cross"]
SLIDERS = ["tokens T", "width D", "heads H", "layers"]
UNSEEN = ("curve",)
LIMITS = {"num_layers": (1, 96)}
REFUSED = [
    ({"tokens": 500}, r"tokens must be one of \[16, 32, .* got 500"),
    ({"tokens": 512.5}, "tokens.* not the float 512.5"),
    ({"d_model": 32}, r"d_model must be one of \[64, .* got 32"),
    ({"num_heads": 3}, r"num_heads must be one of \[1, 2, .* got 3"),
]


make = CostLab


def cases() -> Iterator[CostLab]:
    sizes = (
        {},
        {"tokens": 16, "d_model": 64, "num_heads": 1, "num_layers": 1},
        {"tokens": 131072, "d_model": 8192, "num_heads": 64, "num_layers": 96},
        {"tokens": 1024, "d_model": 1024, "num_heads": 16, "num_layers": 24},
        {"tokens": 32768, "d_model": 64, "num_heads": 2, "num_layers": 7},
    )
    for traits in sizes:
        yield make(**traits)


def randomize(host, dice: random.Random) -> dict:
    def size(label: str, sizes: list[int]) -> int:
        return sizes[int(slid(host, label, list(range(len(sizes))), dice))]

    return {
        "tokens": size("tokens T", SHARED["tokens"]),
        "d_model": size("width D", SHARED["widths"]),
        "num_heads": size("heads H", SHARED["heads"]),
        "num_layers": int(slid(host, "layers", [1, 2, 12, 96], dice)),
    }


def make_unusual(host) -> None:
    control(host, "tokens T").fill("13")
    control(host, "width D").fill("7")
    control(host, "heads H").fill("6")
    control(host, "layers").fill("96")
    control(host, "mark where the lines cross").check()
    unfold(host)
