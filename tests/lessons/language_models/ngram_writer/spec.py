"""n-gram writer: a text, how far it looks back, and how many words it draws."""

import random
from collections.abc import Iterator

from controls import control, picked, saved_state, slid

from lessons.kit.figures.registry import NgramWriter
from lessons.language_models.ngram_writer.ngram_writer import SHARED

FIGURE = NgramWriter
HOME = "notebooks/03_language_models.html"
KEYS = [
    ("words back, L", "ArrowRight"),
    ("choices made", "ArrowRight"),
    (f"It has counted/{SHARED['names'][0]}", "ArrowDown"),
]
LABELS = [SHARED["names"][1]]
SLIDERS = ["words back, L", "choices made"]
LIMITS = {"length": (0, 5), "seed": (0, 9999), "choices": (1, 60)}
REFUSED = [
    ({"text": "novel"}, r"text must be one of \['prose', 'grammar'\], got 'novel'"),
]


make = NgramWriter


def cases() -> Iterator[NgramWriter]:
    """Yield both texts at every length, from the first word to the last."""
    for case in range(36):
        text, length = SHARED["texts"][case % 2], case // 2 % 6
        yield make(text=text, length=length, seed=case * 271, choices=1 + case * 11 % 60)
    yield make(length=5, choices=60, seed=9999)


def randomize(host, dice: random.Random) -> dict:
    host.get_by_role("button", name="Reset").click()
    names = [f"It has counted/{name}" for name in SHARED["names"]]
    draws = dice.randrange(4)
    for _ in range(draws):
        host.get_by_role("button", name="Another draw").click()
    changed = {
        "text": SHARED["texts"][picked(host, names, dice)],
        "length": int(slid(host, "words back, L", list(range(6)), dice)),
        "choices": int(slid(host, "choices made", [1, 7, 33, 59], dice)),
        "seed": saved_state(host)["seed"] + draws,
    }
    host.get_by_role("button", name="Next word").click()
    return changed | {"choices": changed["choices"] + 1}


def make_unusual(host) -> None:
    control(host, "words back, L").fill("5")
    control(host, "choices made").fill("60")
    control(host, SHARED["names"][1]).check()
    host.get_by_role("button", name="Another draw").click()
