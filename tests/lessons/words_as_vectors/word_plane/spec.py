"""The word plane: a question of three words, the rule that leaves them out, and two planes."""

import random
from collections.abc import Iterator
from itertools import product

from controls import chosen, control, picked, switched

from lessons.kit.figures.registry import WordPlane
from lessons.kit.figures.units import number
from lessons.words_as_vectors.word_plane.word_plane import SHARED, words

FIGURE = WordPlane
HOME = "notebooks/01_words_as_vectors.html"
RULE = "leave out the three words of the question"
PLANES = list(SHARED["planes"].values())
START = "Start: drag it to another word or use the arrow keys"
KEYS = [
    ("question", "End"),
    ("from", "ArrowDown"),
    ("to", "Home"),
    ("start at", "ArrowUp"),
    ("From: drag it to another word or use the arrow keys", "ArrowLeft"),
    ("To: drag it to another word or use the arrow keys", "ArrowUp"),
    (START, "ArrowRight"),
    (RULE, "Space"),
    (f"Drawn on/{PLANES[0]}", "ArrowDown"),
]
LABELS = [RULE, f"Drawn on/{PLANES[1]}"]
SLIDERS = []
REFUSED = [
    ({"pair": ["man"]}, "pair must have 2 entries, got 1"),
    ({"pair": ["man", "zebra"]}, "pair must be one of .*, got 'zebra'"),
    ({"pair": ["man", "man"]}, r"pair must have two different words, got \['man', 'man'\]"),
    ({"pair": ["King", "man"]}, "pair must be one of .*, got 'King'"),
    ({"pair": ["man", 3]}, "pair.* not the int 3"),
    ({"start": ""}, "start must be one of .*, got ''"),
    ({"plane": "two"}, "two"),
]
QUESTIONS = [
    *map(tuple, SHARED["examples"]),
    ("king", "man", "king"),  # the arrow starts where it starts
    ("king", "man", "man"),  # and where it ends
    ("water", "bank", "money"),
    ("bad", "cat", "rome"),
]


def write(x: float) -> str:
    return number(x, 3)


make = WordPlane


def cases() -> Iterator[WordPlane]:
    for (a, b, c), plane, exclude in product(QUESTIONS, SHARED["planes"], [True, False]):
        yield WordPlane(pair=[a, b], start=c, plane=plane, exclude=exclude)


def randomize(host, dice: random.Random) -> dict:
    pair = [words()[chosen(host, label, len(words()), dice)] for label in ("from", "to")]
    if pair[0] == pair[1]:  # picking the other word of the pair swaps the two
        control(host, "from").select_option(label="man")
        pair[0] = "man"
        control(host, "to").select_option(label="king")
        pair[1] = "king"
    return {
        "pair": pair,
        "start": words()[chosen(host, "start at", len(words()), dice)],
        "exclude": switched(host, RULE, dice),
        "plane": list(SHARED["planes"])[picked(host, [f"Drawn on/{p}" for p in PLANES], dice)],
    }


def make_unusual(host) -> None:
    control(host, "question").select_option(index=2)
    control(host, RULE).uncheck()
    control(host, f"Drawn on/{PLANES[1]}").check()
