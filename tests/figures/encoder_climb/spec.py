"""The encoder climb: a sentence, how far up it is, and whose weights are shown."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, saved_state, slid

from transformer_lite.figures import EncoderClimb
from transformer_lite.figures.encoder_climb.encoder_climb import SHARED, short

FIGURE = EncoderClimb
HOME = "notebooks/19_encoder.html"
KEYS = [
    ("climb to", "ArrowRight"),
    ("Head/1", "ArrowRight"),
    ("French sentence", "x"),
    ("or", "ArrowDown"),
]
LABELS = ["Head/3"]
SLIDERS = ["climb to"]
EXAMPLES = SHARED["examples"]
SENTENCES = [
    *EXAMPLES,
    "",
    "zzz",
    "Je suis étudiant.",
    "l’étudiant ne mange pas",
    "le le le",
    "non " * 15,
]
REFUSED = [
    ({"sentence": "a" * 81}, "the letters of sentence must have 0 to 80 entries, got 81"),
    ({"sentence": 7}, "sentence.* not the int 7"),
    ({"layer": -1}, "layer must satisfy 0 <= layer < 4, got -1"),
    ({"layer": 4}, "layer must satisfy 0 <= layer < 4, got 4"),
    ({"layer": 1.5}, "layer.* not the float 1.5"),
    ({"head": 4}, "head must satisfy 0 <= head < 4, got 4"),
]

write = short


def make(**traits) -> EncoderClimb:
    return EncoderClimb(**({"sentence": EXAMPLES[0], "layer": 1} | traits))


def cases() -> Iterator[dict]:
    for case, sentence in enumerate(SENTENCES * 2):
        figure = make(sentence=sentence, layer=case % 4, head=case // 3 % 4)
        yield {"state": figure.state(), "expected": figure.results()}


def randomize(host, dice: random.Random) -> EncoderClimb:
    start = saved_state(host)
    place = chosen(host, "or", len(EXAMPLES) + 1, dice)
    changed = {
        "sentence": EXAMPLES[place - 1] if place else start["sentence"],
        "layer": int(slid(host, "climb to", [0, 1, 2, 3], dice)),
        "head": picked(host, [f"Head/{head}" for head in (1, 2, 3, 4)], dice),
    }
    return EncoderClimb(**(start | changed))


def randomize_by_typing(host, dice: random.Random) -> EncoderClimb:
    start = saved_state(host)
    words = ["le", "chat", "zebra", "étudiant", ",", "l'", "petite", "dort", "?"]
    sentence = " ".join(dice.choices(words, k=dice.randrange(1, 9)))
    control(host, "French sentence").fill(sentence)
    layer = int(slid(host, "climb to", [1, 2, 3], dice))
    return EncoderClimb(**(start | {"sentence": sentence, "layer": layer}))


def make_unusual(host) -> None:
    control(host, "French sentence").fill("zzz " * 20)
    control(host, "climb to").fill("3")
    control(host, "Head/4").check()
