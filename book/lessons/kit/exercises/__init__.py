"""Exercises that answer back: a folder of each lesson, a file for each exercise.

Give `check` your own function. It says whether the answer is right, and if not, which number is
the first wrong one and what probably went wrong::

    from lessons.kit import exercises

    exercises.the_cat_sat.attend.check(attend)
    exercises.the_cat_sat.attend.hint(1)

The file `the_cat_sat/exercises/attend.py` holds the exercise `the_cat_sat.attend`: the task, its
hints and, as data for teachers, the known wrong answers with the message that each one gets, and
two right answers. The checks run in your own Python: they are there to help you learn, not to
guard a grade.

A chapter is loaded when it is first named, and its references run at the first check.
"""

import importlib
from pathlib import Path
from types import ModuleType

from lessons.kit.exercises.as_found import as_found
from lessons.kit.exercises.draw import Draw, Inputs
from lessons.kit.exercises.exercise import Case, Exercise, Mistake, Property, Result, mistakes
from lessons.kit.exercises.properties import (
    GRADIENT,
    NO_AUTOGRAD,
    NO_READY_NORM,
    NO_SQUARE_TABLE,
    OWN_GENERATOR,
)
from lessons.kit.exercises.random import normal_numbers

_LESSONS = Path(__file__).parents[2]
#: The lessons that have exercises.
CHAPTERS = tuple(
    sorted({path.parts[-3] for path in _LESSONS.glob("*/exercises/__init__.py")} - {"kit"})
)

__all__ = [
    "GRADIENT",
    "NO_AUTOGRAD",
    "NO_READY_NORM",
    "NO_SQUARE_TABLE",
    "OWN_GENERATOR",
    "Case",
    "Draw",
    "Exercise",
    "Inputs",
    "Mistake",
    "Property",
    "Result",
    "as_found",
    "every",
    "mistakes",
    "named",
    "normal_numbers",
]
__all__ += CHAPTERS


def named(name: str) -> Exercise:
    """Return the exercise of a name such as "masks.batch_mask".

    Raises:
        AttributeError: there is no such chapter, or the chapter has no such exercise.
    """
    chapter, _, own = name.partition(".")
    found = vars(__getattr__(chapter)).get(own)
    if not isinstance(found, Exercise):
        raise AttributeError(f"name must be such as 'masks.batch_mask', got {name!r}")
    return found


def every() -> tuple[Exercise, ...]:
    """Return all exercises, chapter by chapter: this loads them."""
    chapters = map(__getattr__, CHAPTERS)
    found = (value for chapter in chapters for value in vars(chapter).values())
    return tuple(value for value in found if isinstance(value, Exercise))


def __getattr__(name: str) -> ModuleType:
    """Load a chapter when it is first named."""
    if name not in CHAPTERS:
        chapters = ", ".join(CHAPTERS)
        raise AttributeError(f"exercises has no chapter {name!r}; the chapters are {chapters}")
    return importlib.import_module(f"lessons.{name}.exercises")


def __dir__() -> list[str]:
    return sorted({*globals(), *CHAPTERS})
