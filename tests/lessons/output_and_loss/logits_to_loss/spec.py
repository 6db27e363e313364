"""Logits to loss: six words, their logits, the right word and label smoothing."""

import math
import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, slid, unfold

from lessons.kit.figures.registry import LogitsToLoss

FIGURE = LogitsToLoss
HOME = "notebooks/21_output_and_loss.html"
WORDS = ["a", "am", "i", "thanks", "student", "<eos>"]
KEYS = [
    ("Logits/am", "ArrowLeft"),
    ("label smoothing", "ArrowRight"),
    ("The right word/am", "ArrowDown"),
]
LABELS = ["The right word/thanks"]
SLIDERS = ["Logits/student", "label smoothing"]
LIMITS = {"label_smoothing": (0.0, 0.5)}
REFUSED = [
    ({"words": ["a"], "logits": [0.0], "target": 0}, "words must have 2 to 8 entries, got 1"),
    ({"words": [*WORDS[:5], ""]}, "the letters of a word must have 1 to 12 entries, got 0"),
    ({"words": [*WORDS[:5], "x" * 13]}, "the letters of a word must have 1 to 12 entries, got 13"),
    ({"logits": [0.0] * 5}, "words and logits must be equally many, got 6 and 5"),
    ({"logits": [0.0] * 5 + [6.1]}, "logits must lie between -6 and 6, got 6.1"),
    ({"logits": [0.0] * 5 + [math.nan]}, "logits must lie between -6 and 6, got nan"),
    ({"target": 6}, "target must satisfy 0 <= target < 6, got 6"),
    ({"target": -1}, "target must satisfy 0 <= target < 6, got -1"),
    ({"target": 0.5}, "target.* not the float 0.5"),
]


def make(**traits) -> LogitsToLoss:
    logits = [1.0, 3.0, -2.0, -1.0, 1.0, 0.0]
    return LogitsToLoss(**({"words": WORDS, "logits": logits, "target": 1} | traits))


def cases() -> Iterator[LogitsToLoss]:
    for case in range(12):
        count = 2 + case % 7
        words = [f"word {i}" for i in range(count)]
        logits = (torch.rand(count, dtype=torch.float64) * 12 - 6).tolist()
        if case == 5:
            logits = [-6.0] * (count - 1) + [6.0]
        smoothing = (0.0, 0.1, 0.5, 0.01)[case % 4]
        yield LogitsToLoss(words, logits, target=case % count, label_smoothing=smoothing)


def randomize(host, dice: random.Random) -> dict:
    tenths = [z / 10 for z in range(-60, 61)]
    words = saved_state(host)["words"]
    return {
        "logits": [slid(host, f"Logits/{word}", tenths, dice) for word in words],
        "target": picked(host, [f"The right word/{word}" for word in words], dice),
        "label_smoothing": slid(host, "label smoothing", [0.0, 0.1, 0.25, 0.5], dice),
    }


def make_unusual(host) -> None:
    control(host, "Logits/a").fill("6")
    control(host, "Logits/am").fill("-6")
    control(host, "label smoothing").fill("0.5")
    unfold(host)
