"""The depth lab: depth, recipe and weights of a stack of sub-layers."""

import random
from collections.abc import Iterator

from controls import control, picked, slid

from lessons.kit.draws import uniform
from lessons.kit.figures.registry import DepthLab
from lessons.residual_connections.depth_lab.depth_lab import RECIPES, size_text

FIGURE = DepthLab
HOME = "notebooks/17_residual_connections.html"
KEYS = [
    ("depth", "ArrowRight"),
    ("weights", "ArrowRight"),
    ("gain", "ArrowRight"),
    ("no skip", "ArrowRight"),
]
LABELS = ["post-norm"]
SLIDERS = ["depth", "weights", "gain"]
UNSEEN = ("powers",)  # for the tour
WRITERS = {"layers": size_text, "recipes": size_text}
GAINS = [round(0.8 + 0.05 * step, 2) for step in range(17)]
LIMITS = {"seed": (1, 20), "gain": (0.8, 1.6)}
REFUSED = [
    ({"depth": 0}, "depth must be even and lie between 2 and 64, got 0"),
    ({"depth": 66}, "depth must be even and lie between 2 and 64, got 66"),
    ({"depth": 7}, "depth must be even and lie between 2 and 64, got 7"),
    ({"depth": 4.5}, "depth.* not the float 4.5"),
    ({"recipe": "sandwich"}, "recipe must be one of .*, got 'sandwich'"),
]


def make(**traits) -> DepthLab:
    return DepthLab(**({"depth": 16, "recipe": "no skip"} | traits))


def cases() -> Iterator[dict | DepthLab]:
    for seed in (0, 1, 20, 2**32 - 1):
        yield {"seed": seed, "expected": uniform(seed, 50)}
    for case, depth in enumerate((2, 4, 10, 16, 32, 64)):
        for recipe in RECIPES:
            yield DepthLab(depth=depth, recipe=recipe, seed=1 + 3 * case, gain=GAINS[3 * case])


def randomize(host, dice: random.Random) -> dict:
    return {
        "depth": int(slid(host, "depth", list(range(2, 66, 2)), dice)),
        "seed": int(slid(host, "weights", list(range(1, 21)), dice)),
        "gain": float(slid(host, "gain", GAINS, dice)),
        "recipe": RECIPES[picked(host, list(RECIPES), dice)],
    }


def make_unusual(host) -> None:
    control(host, "depth").fill("64")
    control(host, "pre-norm").check()
