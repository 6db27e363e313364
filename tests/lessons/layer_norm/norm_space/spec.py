"""The norm space: a token of three numbers under two norms, seen from any side."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, slid

from lessons.kit.figures.registry import NormSpace
from lessons.layer_norm.norm_space.norm_space import NORMS

FIGURE = NormSpace
HOME = "notebooks/16_layer_norm.html"
KEYS = [
    ("LayerNorm", "ArrowRight"),
    ("Turn", "ArrowLeft"),
    ("Tilt", "ArrowRight"),
    ("entry 1", "ArrowLeft"),
    ("entry 3", "ArrowRight"),
]
LABELS = ["RMSNorm"]
SLIDERS = ["entry 1", "entry 2", "entry 3", "Turn", "Tilt"]
LIMITS = {"turn": (0, 360), "tilt": (-90, 90)}
NUMBERS = [round(-3 + 0.1 * n, 1) for n in range(61)]
REFUSED = [
    ({"token": [1, 2]}, "token must have 3 entries, got 2"),
    ({"token": [1, 2, 3, 0]}, "token must have 3 entries, got 4"),
    ({"token": [1, 2, 4]}, "token must lie between -3 and 3, got 4"),
    ({"token": [1, 2, float("nan")]}, "between -3 and 3, got nan"),
    ({"norm": "BatchNorm"}, "BatchNorm"),
]


def make(**traits) -> NormSpace:
    return NormSpace(**traits)


def cases() -> Iterator[NormSpace]:
    for norm in NORMS:
        for turn in (0, 45, 355):
            token = (6 * torch.rand(3, dtype=torch.float64) - 3).tolist()
            yield NormSpace(token=token, norm=norm, turn=turn, tilt=turn // 9)
        yield NormSpace(token=[1.0, 1.0, 1.0], norm=norm)
        yield NormSpace(token=[0.0, 0.0, 0.0], norm=norm)


def randomize(host, dice: random.Random) -> dict:
    norm = NORMS[picked(host, NORMS, dice)]
    token = [slid(host, f"entry {n}", NUMBERS, dice) for n in (1, 2, 3)]
    turn = int(slid(host, "Turn", range(0, 361, 5), dice))
    return {"norm": norm, "token": token, "turn": turn}


def make_unusual(host) -> None:
    control(host, "RMSNorm").check()
    control(host, "entry 1").press("Home")
    control(host, "entry 2").press("Home")
    control(host, "Tilt").press("End")
