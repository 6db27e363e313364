"""Merge steps: a text to learn from, another one to cut, and how many merges are done."""

import random
from collections.abc import Iterator

from controls import control

from lessons.kit.figures.registry import MergeSteps
from lessons.tokens.merge_steps.steps import training_steps

FIGURE = MergeSteps
HOME = "notebooks/02_tokens.html"
KEYS = [
    ("text", "x"),
    ("other text", "x"),
    ("merges done", "ArrowRight"),
]
LABELS = []  # a click on the label of a slider or of a box only moves the focus
SLIDERS = ["merges done"]
PETER = "Peter Piper picked a peck of pickled peppers"
TEXTS = [
    PETER,
    "aaaaa aaaa aa",
    "abcabcab bcab abc",
    "the cat sat on the mat; the rat sat on that cat",
    "Les élèves naïfs ont déjà mangé à Noël.",
    "x = f(x_1, x_2);  return x + 1\t# 42",
    "😀😀 🎉 日本語の日本",
    "one",
    "a b c",
    "  two   spaces \u00a0 and\u3000more\x1cgone\ufeff",
]
LIMITS = {"step": (0, 640)}
REFUSED = [
    ({"text": "a" * 161}, "the letters of text must have 0 to 160 entries, got 161"),
    ({"other": "a" * 161}, "the letters of other must have 0 to 160 entries, got 161"),
]


def make(**traits) -> MergeSteps:
    return MergeSteps(**({"text": PETER, "other": "a pickled pepper", "step": 3} | traits))


def cases() -> Iterator[MergeSteps]:
    for case, text in enumerate(TEXTS):
        most = len(list(training_steps(text))) - 1
        for step in sorted({0, 1, 2, most // 2, most, 640}):
            yield make(text=text, other=TEXTS[case - 1], step=step)


def randomize(host, dice: random.Random) -> dict:
    text, other = dice.choice(TEXTS[:6]), dice.choice(TEXTS[:6]).strip()
    control(host, "text").fill(text)
    control(host, "other text").fill(other)
    step = dice.randint(0, int(control(host, "merges done").get_attribute("max") or 0) or 20)
    step = min(step, len(list(training_steps(text))) - 1)
    control(host, "merges done").fill(str(step))
    return {"text": text, "other": other, "step": step}


def make_unusual(host) -> None:
    control(host, "text").fill("pneumonoultramicroscopicsilicovolcanoconiosis " * 3)
    control(host, "other text").fill("élève 😀")
    control(host, "merges done").fill("2")
