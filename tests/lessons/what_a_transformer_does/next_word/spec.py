"""Next word: a prefix, how many words count, and the temperature."""

import random
from collections.abc import Iterator

from controls import control, slid

from lessons.kit.figures.registry import NextWord

FIGURE = NextWord
HOME = "notebooks/00_what_a_transformer_does.html"
KEYS = [
    ("temperature", "ArrowRight"),
    ("words it uses", "End"),
    ("prefix", "x"),
]
LABELS = []  # a click on the label of a slider or of a box only moves the focus
SLIDERS = ["words it uses", "temperature"]
TEXT = "The cat sat on the mat. The dog sat on the rug. The cat saw the dog. Did the cat sit?"
BEGINNINGS = ["", "the", "the cat", "sat on the", "a zebra", "Dog sat on the  ", "the mat.", "saw"]
LIMITS = {"context": (1, 4), "temperature": (0.1, 3.0)}
REFUSED = [
    ({"text": "word"}, "the words of text must have 2 to 400 entries, got 1"),
    ({"text": "word " * 401}, "the words of text must have 2 to 400 entries, got 401"),
    ({"beginning": "a" * 241}, "the letters of beginning must have 0 to 240 entries, got 241"),
]


def make(**traits) -> NextWord:
    return NextWord(**({"text": TEXT, "beginning": "the cat sat on the", "context": 2} | traits))


def cases() -> Iterator[NextWord]:
    for case, beginning in enumerate(BEGINNINGS * 2):
        temperature = (0.1, 1.0, 0.7, 3.0, 2.0)[case % 5]
        yield make(beginning=beginning, context=1 + case % 4, temperature=temperature)


def randomize(host, dice: random.Random) -> dict:
    words = dice.choices(["the", "dog", "keys", "house", "zebra", "of", "Is", "."], k=3)
    beginning = " ".join(words)
    control(host, "prefix").fill(beginning)
    return {
        "beginning": beginning,
        "context": int(slid(host, "words it uses", [1, 2, 3, 4], dice)),
        "temperature": slid(host, "temperature", [0.1, 0.5, 1.0, 1.7, 3.0], dice),
    }


def make_unusual(host) -> None:
    control(host, "prefix").fill("zebras " * 30)
    control(host, "words it uses").fill("4")
    control(host, "temperature").fill("3")
