"""Training film: a moment, a sentence and a head of the recorded run."""

import random
from collections.abc import Iterator

from controls import control, picked, slid, unfold

from lessons.kit.figures.registry import TrainingFilm
from lessons.training_a_translator.training_film.training_film import RUN, SHARED

FIGURE = TrainingFilm
HOME = "notebooks/22_training_a_translator.html"
LAST = len(RUN["moments"]) - 1
KEYS = [
    ("moment", "ArrowRight"),
    ("Sentence/birds", "ArrowDown"),
    ("Head/1", "ArrowDown"),
]
LABELS = ["mouse", "3"]
SLIDERS = ["moment"]
REFUSED = [
    ({"moment": LAST + 1}, f"moment must satisfy 0 <= moment < {LAST + 1}, got {LAST + 1}"),
    ({"moment": -1}, "moment must satisfy 0 <= moment"),
    ({"moment": 0.5}, "moment.* not the float 0.5"),
    ({"sentence": 3}, "sentence must satisfy 0 <= sentence < 3, got 3"),
    ({"head": 4}, "head must satisfy 0 <= head < 4, got 4"),
]
OTHER_FORM = [SHARED["film"], SHARED["subtitles"]]


def make(**traits) -> TrainingFilm:
    return TrainingFilm(**({"moment": 9} | traits))


def cases() -> Iterator[TrainingFilm]:
    for case in range(LAST + 1):
        yield TrainingFilm(moment=case, sentence=case % 3, head=case % 4)


def randomize(host, dice: random.Random) -> dict:
    return {
        "moment": slid(host, "moment", list(range(LAST + 1)), dice),
        "sentence": picked(host, [f"Sentence/{name}" for name in SHARED["names"]], dice),
        "head": picked(host, [f"Head/{i}" for i in range(1, 5)], dice),
    }


def make_unusual(host) -> None:
    control(host, "moment").fill(str(LAST))
    control(host, "Sentence/avocado").check()
    control(host, "Head/3").check()
    unfold(host)
