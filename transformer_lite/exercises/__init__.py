"""Exercises that answer back: a folder for each chapter, a file for each exercise.

Give `check` your own function. It says whether the answer is right, and if not, which number is
the first wrong one and what probably went wrong::

    from transformer_lite import exercises

    exercises.the_cat_sat.attend.check(attend)
    exercises.the_cat_sat.attend.hint(1)

The file `the_cat_sat/attend.py` holds the exercise `the_cat_sat.attend`; beside the task and its
hints stand, as data for teachers, the known wrong answers with the message that each one gets, and
two right answers. The checks run in your own Python: they are there to help you learn, not to
guard a grade.

A chapter is loaded when it is first named, and its references run at the first check.
"""

import importlib
import pkgutil
from types import ModuleType

from transformer_lite.exercises._as_found import as_found
from transformer_lite.exercises._exercise import Case, Exercise, Mistake, Property, Result

#: The folders beside this file: what is put there is a chapter.
CHAPTERS = tuple(
    sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name[0] != "_")
)

__all__ = ["Case", "Exercise", "Mistake", "Property", "Result", "every", "named", *CHAPTERS]


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
    with as_found():
        return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *CHAPTERS})
