"""Exercises with checks that explain: a folder in each lesson, a file for each exercise.

Give `check` your own function. It says whether the answer is right, and if not, which number is
the first wrong one and what probably went wrong::

    from lessons.kit import exercises

    exercises.the_cat_sat.attend.check(attend)
    exercises.the_cat_sat.attend.hint(1)

The file `the_cat_sat/exercises/attend.py` defines the exercise `the_cat_sat.attend`: the task, its
hints and, as data for teachers, the known wrong answers with the message for each of them, and two
right answers. The checks run in your own Python: they are there to help you learn, not to guard a
grade.

A chapter is loaded when it is first used, and its references run at the first check.

A grader records the outcomes of a function in one process and judges them in another: see `call`,
`Outcome`, `cases_to_json`, `outcomes_to_json` and `Exercise.judge`.
"""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

from lessons import lesson_files
from lessons.kit.exercises.draw import Draw, Inputs
from lessons.kit.exercises.execution import (
    OutOfTime,
    cpu_time_limits,
    describe_error,
    is_stub,
    time_limit,
)
from lessons.kit.exercises.exercise import Case, Exercise, Mistake, Property, Result, mistakes
from lessons.kit.exercises.formatting import shorten
from lessons.kit.exercises.outcome import Outcome, call, returned_nothing, same_outcome
from lessons.kit.exercises.pristine import default_settings, pristine_torch
from lessons.kit.exercises.properties import (
    GRADIENT,
    NO_AUTOGRAD,
    NO_BUILTIN_NORM,
    NO_SQUARE_TENSOR,
    OWN_GENERATOR,
)
from lessons.kit.exercises.random import normal_numbers
from lessons.kit.exercises.serialize import (
    cases_from_json,
    cases_to_json,
    outcomes_from_json,
    outcomes_to_json,
)
from lessons.kit.exercises.starter import function_name
from lessons.kit.exercises.student_edition import StudentExercise, exercise_to_json, load_chapter

#: The lessons that have exercises.
CHAPTERS = tuple(path.parts[-3] for path in lesson_files("exercises/__init__.py"))

__all__ = [
    "GRADIENT",
    "NO_AUTOGRAD",
    "NO_BUILTIN_NORM",
    "NO_SQUARE_TENSOR",
    "OWN_GENERATOR",
    "Case",
    "Draw",
    "Exercise",
    "Inputs",
    "Mistake",
    "OutOfTime",
    "Outcome",
    "Property",
    "Result",
    "StudentExercise",
    "all_exercises",
    "call",
    "cases_from_json",
    "cases_to_json",
    "cpu_time_limits",
    "default_settings",
    "describe_error",
    "exercise_to_json",
    "function_name",
    "get_exercise",
    "is_stub",
    "load_chapter",
    "load_exercises",
    "mistakes",
    "normal_numbers",
    "outcomes_from_json",
    "outcomes_to_json",
    "pristine_torch",
    "returned_nothing",
    "same_outcome",
    "shorten",
    "time_limit",
]
__all__ += CHAPTERS


def get_exercise(name: str) -> Exercise:
    """Return an exercise by its name, such as "masks.batch_mask".

    Raises:
        AttributeError: there is no such chapter, or the chapter has no such exercise.
    """
    chapter, _, own = name.partition(".")
    found = vars(__getattr__(chapter)).get(own)
    if not isinstance(found, Exercise):
        raise AttributeError(f"name must be such as 'masks.batch_mask', got {name!r}")
    return found


def all_exercises() -> tuple[Exercise, ...]:
    """Load and return all exercises, chapter by chapter."""
    chapters = map(__getattr__, CHAPTERS)
    found = (value for chapter in chapters for value in vars(chapter).values())
    return tuple(value for value in found if isinstance(value, Exercise))


def load_exercises(package: str, folders: Iterable[str]) -> dict[str, Exercise]:
    """Import the exercises of a lesson: the file `NAME.py` defines the exercise NAME.

    Args:
        package: the `__name__` of the lesson's package of exercises.
        folders: its `__path__`.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(folders) if found.name[0] != "_")
    with pristine_torch():
        modules = {name: importlib.import_module(f"{package}.{name}") for name in names}
    return {name: getattr(module, name) for name, module in modules.items()}


def __getattr__(name: str) -> ModuleType:
    """Load a chapter when it is first used."""
    if name not in CHAPTERS:
        chapters = ", ".join(CHAPTERS)
        raise AttributeError(f"exercises has no chapter {name!r}; the chapters are {chapters}")
    return importlib.import_module(f"lessons.{name}.exercises")


def __dir__() -> list[str]:
    return sorted({*globals(), *CHAPTERS})
