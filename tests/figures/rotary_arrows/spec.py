"""Rotary arrows: two positions, a frequency, and the score."""

import random
from collections.abc import Iterator

from controls import control, slid

from transformer_lite.figures import RotaryArrows

FIGURE = RotaryArrows
HOME = "notebooks/12_rotary_positions.html"
KEYS = [("query at i", "ArrowRight"), ("key at j", "End"), ("frequency ω", "Home")]
LABELS = []
SLIDERS = ["query at i", "key at j", "frequency ω"]
UNSEEN = ("curve",)
REFUSED = [
    ({"query": -1}, "query must lie between 0 and 24, got -1"),
    ({"query": 25}, "query must lie between 0 and 24, got 25"),
    ({"key": 25}, "key must lie between 0 and 24, got 25"),
    ({"key": 1.5}, "key.* not the float 1.5"),
    ({"omega": 0.0}, "omega must lie between 0.05 and 1.5, got 0.0"),
    ({"omega": 1.6}, "omega must lie between 0.05 and 1.5, got 1.6"),
]


make = RotaryArrows


def cases() -> Iterator[RotaryArrows]:
    for query, key, omega in ((0, 0, 0.5), (3, 1, 0.5), (1, 3, 0.5), (24, 0, 1.5), (7, 19, 0.05)):
        yield RotaryArrows(query=query, key=key, omega=omega)


def randomize(host, dice: random.Random) -> RotaryArrows:
    return RotaryArrows(
        query=int(slid(host, "query at i", [*range(25)], dice)),
        key=int(slid(host, "key at j", [*range(25)], dice)),
        omega=slid(host, "frequency ω", [round(0.05 * n, 2) for n in range(1, 31)], dice),
    )


def make_unusual(host) -> None:
    control(host, "key at j").press("End")
    control(host, "frequency ω").press("End")
