"""Right answers to every exercise by at least three routes, and inputs to compare them on.

A module stands for a chapter. The functions whose names begin with NAME are right answers to the
exercise NAME, each written in another way. They use nothing of the package, so that a mistake there
cannot hide here. Their inputs are drawn as the grader of a class draws its own.
"""

import importlib
import types
from collections.abc import Callable, Iterator

from classroom import hidden
from classroom._draw import Draw
from classroom.hidden import draw_of


def module_of(chapter: str) -> types.ModuleType:
    """The routes of one chapter."""
    return importlib.import_module(f"{__name__}.{chapter}")


def routes_of(exercise: str) -> dict[str, Callable]:
    """The right answers to an exercise such as "masks.decoder_mask", by their names."""
    chapter, name = exercise.split(".")
    drawn = vars(importlib.import_module(f"{hidden.__name__}.{chapter}"))
    names = [n.removeprefix("draw_") for n in drawn if n.startswith("draw_")]
    return {
        route: function
        for route, function in vars(module_of(chapter)).items()
        if max((n for n in names if route.startswith(f"{n}_")), key=len, default="") == name
    }


def draws_of(exercise: str, count: int) -> Iterator[tuple]:
    """Inputs for an exercise, drawn so many times."""
    return (draw_of(exercise)(Draw(seed)) for seed in range(count))
