"""Head reader: a sentence, a word of it, a layer, a head and a measure."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, slid, unfold

from lessons.kit.figures.registry import HeadReader
from lessons.looking_inside.head_reader.head_reader import SHARED, short
from lessons.looking_inside.head_reader.heads import HEADS, LAYERS, all_pieces

FIGURE = HeadReader
HOME = "notebooks/24_looking_inside.html"
KEYS = [
    ("Sentence", "ArrowDown"),
    ("layer", "ArrowRight"),
    ("head", "ArrowLeft"),
    ("Read from/[SEP]", "ArrowLeft"),
    ("Show/weight", "ArrowRight"),
]
LABELS = ["weight × size", "Read from/[CLS]"]
SLIDERS = ["layer", "head"]
REFUSED = [
    ({"sentence": 12}, "sentence must satisfy 0 <= sentence < 12, got 12"),
    ({"word": -1}, "word must satisfy 0 <= word < 10, got -1"),
    ({"word": 10}, "word must satisfy 0 <= word < 10, got 10"),
    ({"layer": 6}, "layer must satisfy 0 <= layer < 6, got 6"),
    ({"layer": 0.5}, "layer.* not the float 0.5"),
    ({"head": 12}, "head must satisfy 0 <= head < 12, got 12"),
    ({"measure": "size"}, "measure"),
]

write = short


make = HeadReader


def cases() -> Iterator[HeadReader]:
    dice = random.Random(24)
    for case in range(24):
        sentence = case % len(all_pieces())
        yield make(
            sentence=sentence,
            word=dice.randrange(len(all_pieces()[sentence])),
            layer=dice.randrange(LAYERS),
            head=dice.randrange(HEADS),
            measure=[*SHARED["measures"]][case % 2],
        )


def randomize(host, dice: random.Random) -> dict:
    sentence = chosen(host, "Sentence", len(all_pieces()), dice)
    pieces = all_pieces()[sentence]
    once = [piece for piece in pieces if pieces.count(piece) == 1]
    word = picked(host, [f"Read from/{piece}" for piece in once], dice)
    return {
        "sentence": sentence,
        "word": pieces.index(once[word]),
        "layer": int(slid(host, "layer", [*range(1, LAYERS + 1)], dice)) - 1,
        "head": int(slid(host, "head", [*range(1, HEADS + 1)], dice)) - 1,
        "measure": [*SHARED["measures"]][picked(host, ["Show/weight", "Show/weight × size"], dice)],
    }


def make_unusual(host) -> None:
    control(host, "Sentence").select_option(index=11)
    control(host, "Read from/steam").check()
    control(host, "layer").fill("6")
    control(host, "Show/weight × size").check()
    unfold(host)
