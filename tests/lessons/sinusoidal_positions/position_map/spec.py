"""The position map: rows of sinusoids, and the hands of two positions."""

import random
from collections.abc import Iterator

from controls import control, slid

from lessons.kit.figures.registry import PositionMap

FIGURE = PositionMap
HOME = "notebooks/11_sinusoidal_positions.html"
KEYS = [("d_model", "ArrowRight"), ("position p", "Home"), ("steps n", "End")]
LABELS = []
SLIDERS = ["d_model", "position p", "steps n"]
UNSEEN = ("map",)
LIMITS = {"position": (0, 47), "offset": (0, 16)}
REFUSED = [
    ({"d_model": 6}, r"d_model must be one of \(4, 8, .*512\), got 6"),
    ({"d_model": 1024}, "got 1024"),
    ({"d_model": 8.5}, "d_model"),
]


make = PositionMap


def cases() -> Iterator[PositionMap]:
    for width, position, offset in ((4, 0, 0), (8, 3, 2), (16, 47, 1), (32, 20, 16), (512, 7, 5)):
        yield PositionMap(d_model=width, position=position, offset=offset)


def randomize(host, dice: random.Random) -> dict:
    return {
        "d_model": 2 ** int(slid(host, "d_model", [*range(2, 10)], dice)),
        "position": int(slid(host, "position p", [*range(48)], dice)),
        "offset": int(slid(host, "steps n", [*range(17)], dice)),
    }


def make_unusual(host) -> None:
    control(host, "d_model").press("End")
    control(host, "steps n").press("Home")
