"""The encoder climb: two sentences, a word that both share, and whose looks are drawn."""

import random
from collections.abc import Iterator

from controls import chosen, control, saved_state, slid, unfold

from lessons.encoder.encoder_climb.encoder_climb import HEADS, LAYERS, short
from lessons.encoder.encoder_climb.pairs import SHARED
from lessons.kit.figures.registry import EncoderClimb

FIGURE = EncoderClimb
HOME = "notebooks/19_encoder.html"
KEYS = [
    ("layer", "ArrowRight"),
    ("looks of", "ArrowDown"),
    ("word in both", "ArrowDown"),
    ("first sentence", "x"),
    ("second sentence", "x"),
    ("example", "ArrowDown"),
]
LABELS: list[str] = []
SLIDERS = ["layer"]
EXAMPLES = SHARED["examples"]
PAIRS = [
    *EXAMPLES,
    ("", "le chat"),
    ("zzz le zzy", "zzz le"),
    ("Le chat voit le chien.", "le chien voit le chat"),
    ("le le le", "le"),
    ("merci", "merci"),
    ("l’étudiant ne mange pas", "non " * 20),
    ("le chat", "non oui"),
    ("le chat voit le chien et la fille voit le chat et le chien", "et le chien le voit"),
]
WORDS = ["", "le", "le (positions 4 and 1)", "chien", "dort"]
LIMITS = {"layer": (1, LAYERS), "head": (0, HEADS)}
REFUSED = [
    ({"sentence": "a" * 101}, "the letters of sentence must have 0 to 100 entries, got 101"),
    ({"other": "a" * 101}, "the letters of other must have 0 to 100 entries, got 101"),
    ({"word": "a" * 101}, "the letters of word must have 0 to 100 entries, got 101"),
]

write = short


make = EncoderClimb


def cases() -> Iterator[EncoderClimb]:
    for case, (sentence, other) in enumerate(PAIRS * 2):
        place = {"layer": 1 + case % LAYERS, "head": case // 2 % (HEADS + 1)}
        yield make(sentence=sentence, other=other, word=WORDS[case % len(WORDS)], **place)


def randomize(host, dice: random.Random) -> dict:
    place = chosen(host, "example", len(EXAMPLES) + 1, dice)
    changed = {
        "layer": int(slid(host, "layer", range(1, LAYERS + 1), dice)),
        "head": chosen(host, "looks of", HEADS + 1, dice),
    }
    if place:
        changed |= dict(zip(("sentence", "other"), EXAMPLES[place - 1], strict=True))
    pairs = EncoderClimb(**(saved_state(host) | changed)).pairs()
    return changed | {"word": pairs[chosen(host, "word in both", len(pairs), dice)].label}


def randomize_by_typing(host, dice: random.Random) -> dict:
    words = ["le", "chat", "zebra", "étudiant", ",", "l'", "petite", "dort", "?"]
    texts = [" ".join(["le", *dice.choices(words, k=dice.randrange(1, 9))]) for _ in range(2)]
    for label, text in zip(("first sentence", "second sentence"), texts, strict=True):
        control(host, label).fill(text)
    layer = int(slid(host, "layer", range(1, LAYERS + 1), dice))
    return dict(zip(("sentence", "other"), texts, strict=True), layer=layer)


def make_unusual(host) -> None:
    control(host, "first sentence").fill("zzz le " * 10)
    control(host, "second sentence").fill("le chat dort sur le lit ,")
    control(host, "layer").fill(str(LAYERS))
    control(host, "looks of").select_option(index=HEADS)
    unfold(host)
