"""Rotary arrows: two positions, a frequency, and the score."""

import random
from collections.abc import Iterator

from controls import control, slid

from lessons.kit.figures.registry import RotaryArrows

FIGURE = RotaryArrows
HOME = "notebooks/12_rotary_positions.html"
KEYS = [("query at i", "ArrowRight"), ("key at j", "End"), ("frequency ω", "Home")]
LABELS = []
SLIDERS = ["query at i", "key at j", "frequency ω"]
UNSEEN = ("curve",)
LIMITS = {"query": (0, 24), "key": (0, 24), "omega": (0.05, 1.5)}
REFUSED = []


make = RotaryArrows


def cases() -> Iterator[RotaryArrows]:
    for query, key, omega in ((0, 0, 0.5), (3, 1, 0.5), (1, 3, 0.5), (24, 0, 1.5), (7, 19, 0.05)):
        yield RotaryArrows(query=query, key=key, omega=omega)


def randomize(host, dice: random.Random) -> dict:
    return {
        "query": int(slid(host, "query at i", [*range(25)], dice)),
        "key": int(slid(host, "key at j", [*range(25)], dice)),
        "omega": slid(host, "frequency ω", [round(0.05 * n, 2) for n in range(1, 31)], dice),
    }


def make_unusual(host) -> None:
    control(host, "key at j").press("End")
    control(host, "frequency ω").press("End")
