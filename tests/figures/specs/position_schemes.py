"""Position schemes: one score matrix under each scheme, at any position."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, slid
from torch import Tensor

from transformer_lite.figures import PositionSchemes
from transformer_lite.figures.position_schemes import FARTHEST, SCHEMES

FIGURE = PositionSchemes
HOME = "notebooks/11_position_families.html"
KEYS = [("sinusoidal", "ArrowRight"), ("first token at position", "ArrowRight")]
LABELS = ["RoPE", "Shaw"]
SLIDERS = ["first token at position"]
TOKENS = ["The", "CAT", "SAT"]
EMBEDDINGS = [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]]


def make(**traits) -> PositionSchemes:
    return PositionSchemes(**({"tokens": TOKENS, "embeddings": EMBEDDINGS} | traits))


def cases() -> Iterator[dict]:
    def draw(*shape):
        return (2 * torch.randn(*shape, dtype=torch.float64)).clamp(-10, 10).tolist()

    for scheme in SCHEMES:
        for shift in (0, 1, 7, FARTHEST):
            figure = make(
                embeddings=draw(3, 4),
                learned=draw(9, 4),
                vectors=draw(3, 4),
                numbers=draw(8),
                scheme=scheme,
                shift=shift,
            )
            yield {"state": figure.state(), "expected": figure.results()}


def expected(figure: PositionSchemes) -> dict[str, Tensor]:
    return figure.results()


def randomize(host, dice: random.Random) -> PositionSchemes:
    scheme = SCHEMES[picked(host, SCHEMES, dice)]
    shift = slid(host, "first token at position", list(range(FARTHEST + 1)), dice)
    return make(scheme=scheme, shift=int(shift))


def make_unusual(host) -> None:
    control(host, "learned").check()
    control(host, "first token at position").fill("7")
