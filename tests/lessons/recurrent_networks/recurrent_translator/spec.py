"""The recurrent translator unrolled: a sentence, a machine, an output word and a source word."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, slid

from lessons.kit.figures.registry import RecurrentSteps
from lessons.recurrent_networks.recurrent_translator.recurrent_translator import (
    RUN,
    SHARED,
)
from lessons.recurrent_networks.recurrent_translator.recurrent_translator import (
    WRITERS as WRITERS,
)

FIGURE = RecurrentSteps
HOME = "notebooks/04_recurrent_networks.html"
MACHINES = [f"Machine/{name}" for name in SHARED["machines"]]
LAST = len(RUN["sentences"]) - 1
KEYS = [
    ("output word", "ArrowRight"),
    ("source word", "ArrowLeft"),
    (MACHINES[0], "ArrowDown"),
    ("sentence", "ArrowDown"),
]
LABELS = ["with attention"]
SLIDERS = ["output word", "source word"]
LIMITS = {"word": (0, 19), "source": (0, 19)}
REFUSED = [
    ({"sentence": LAST + 1}, f"sentence must satisfy 0 <= sentence < {LAST + 1}, got {LAST + 1}"),
    ({"sentence": -1}, "sentence must satisfy 0 <= sentence"),
]


make = RecurrentSteps


def cases() -> Iterator[RecurrentSteps]:
    """Yield every sentence with either machine, and words up to beyond the last."""
    for case in range(2 * (LAST + 1)):
        place = {"word": case * 5 % 20, "source": case * 7 % 20}
        yield make(sentence=case // 2, attention=case % 2 == 1, **place)


def randomize(host, dice: random.Random) -> dict:
    sentence = chosen(host, "sentence", LAST + 1, dice)
    shown = RUN["sentences"][sentence]
    return {
        "sentence": sentence,
        "attention": picked(host, MACHINES, dice) == 1,
        "word": int(slid(host, "output word", list(range(len(shown["words"]))), dice)),
        "source": int(slid(host, "source word", list(range(len(shown["source"]))), dice)),
    }


def make_unusual(host) -> None:
    control(host, "sentence").select_option(index=LAST)
    control(host, "with attention").check()
    control(host, "output word").fill("9")
    control(host, "source word").fill("0")
