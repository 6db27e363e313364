"""Right answers to every exercise by at least five routes, and inputs to compare them on.

A module stands for a chapter. `draw_NAME` draws inputs of the exercise NAME, from all that its
statement allows; the functions whose names begin with NAME are right answers, each written in
another way. They use nothing of the package, so that a mistake there cannot hide here.
"""

import importlib.util
import types
from collections.abc import Callable, Iterator

from exercise_routes._draw import Draw


def module_of(chapter: str) -> types.ModuleType:
    """The routes of one chapter."""
    return importlib.import_module(f"{__name__}.{chapter}")


def has_routes(exercise: str) -> bool:
    """Say whether there are routes for an exercise such as "masks.decoder_mask"."""
    chapter, name = exercise.split(".")
    known = importlib.util.find_spec(f"{__name__}.{chapter}") is not None
    return known and hasattr(module_of(chapter), f"draw_{name}")


def routes_of(exercise: str) -> dict[str, Callable]:
    """The right answers to an exercise such as "masks.decoder_mask", by their names."""
    chapter, name = exercise.split(".")
    found = vars(module_of(chapter))
    names = [n.removeprefix("draw_") for n in found if n.startswith("draw_")]
    return {
        route: function
        for route, function in found.items()
        if max((n for n in names if route.startswith(f"{n}_")), key=len, default="") == name
    }


def draws_of(exercise: str, count: int) -> Iterator[tuple]:
    """Inputs for an exercise, drawn so many times."""
    chapter, name = exercise.split(".")
    draw = getattr(module_of(chapter), f"draw_{name}")
    return (draw(Draw(seed)) for seed in range(count))
