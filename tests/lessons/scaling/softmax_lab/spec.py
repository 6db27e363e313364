"""The softmax lab: logits, width and temperature, with and without the root."""

import math
import random
from collections.abc import Iterator

import torch
from controls import control, slid

from lessons.kit.figures.registry import SoftmaxLab
from lessons.scaling.softmax_lab.softmax_lab import WIDTHS

FIGURE = SoftmaxLab
HOME = "notebooks/07_scaling.html"
KEYS = [
    ("key 1", "ArrowLeft"),
    ("width of a key", "ArrowRight"),
    ("temperature", "ArrowRight"),
    ("number of keys", "ArrowRight"),
]
LABELS = []
SLIDERS = ["key 2", "width of a key", "temperature", "number of keys"]
UNSEEN = ("curve", "largest")
LIMITS = {"temperature": (0.1, 10.0)}
REFUSED = [
    ({"logits": [1.0]}, "logits must have 2 to 6 entries, got 1"),
    ({"logits": [0.0] * 7}, "logits must have 2 to 6 entries, got 7"),
    ({"logits": [0.0, 5.1]}, "logits must lie between -5 and 5, got 5.1"),
    ({"logits": [0.0, math.nan]}, "logits must lie between -5 and 5, got nan"),
    ({"logits": ["x", 1.0]}, "not the str 'x'"),
    ({"d_k": 5}, r"d_k must be one of \[1, 2, 3, .* got 5"),
    ({"d_k": 4.5}, "d_k.* not the float 4.5"),
]


def make(**traits) -> SoftmaxLab:
    return SoftmaxLab(**({"logits": [3.0, 2.0], "d_k": 4} | traits))


def cases() -> Iterator[SoftmaxLab]:
    for case, width in enumerate(WIDTHS):
        logits = (torch.rand(2 + case % 5, dtype=torch.float64) * 10 - 5).tolist()
        yield SoftmaxLab(logits, d_k=width, temperature=(0.1, 1.0, 2.5, 10.0)[case % 4])


def randomize(host, dice: random.Random) -> dict:
    count = int(slid(host, "number of keys", [2, 3, 4, 5, 6], dice))
    tenths = [z / 10 for z in range(-50, 51)]
    logits = [slid(host, f"key {j}", tenths, dice) for j in range(1, count + 1)]
    place = slid(host, "width of a key", list(range(len(WIDTHS))), dice)
    temperature = slid(host, "temperature", [0.1, 0.7, 1.0, 3.0, 10.0], dice)
    return {"logits": logits, "d_k": WIDTHS[int(place)], "temperature": temperature}


def make_unusual(host) -> None:
    control(host, "number of keys").fill("6")
    control(host, "width of a key").fill("12")
    control(host, "temperature").fill("0.1")
