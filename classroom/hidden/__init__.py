"""The grader's own cases: a module for each chapter, with a `draw_NAME` for each exercise.

They are drawn from the secret of a class, so all its submissions get the same ones, and nobody who
lacks the secret can know them.
"""

import hashlib
import hmac
import importlib
from collections.abc import Callable

from classroom._draw import Draw, Inputs
from lessons.kit.exercises import Case, Exercise
from lessons.kit.exercises.as_found import usual_settings

#: How many cases the grader adds to the open ones.
COUNT = 8
_TRIES = 5  # draws for each case that is wanted


def draw_of(exercise: str) -> Callable[[Draw], Inputs]:
    """Return the function that draws the inputs of an exercise such as "masks.decoder_mask".

    Raises:
        ValueError: nobody has written one for `exercise`.
    """
    chapter, _, name = exercise.partition(".")
    try:
        module = importlib.import_module(f"{__name__}.{chapter}")
        found: Callable[[Draw], Inputs] = getattr(module, f"draw_{name}")
    except (ImportError, AttributeError):
        raise ValueError(f"exercise must be one with hidden cases, got {exercise!r}") from None
    return found


def hidden_cases(exercise: Exercise, secret: str, count: int = COUNT) -> tuple[Case, ...]:
    """Draw the grader's cases for an exercise.

    Args:
        exercise: what the cases are for.
        secret: of the class; another secret gives other cases.
        count: how many.

    Raises:
        ValueError: nobody has written a draw for `exercise`, it gives too few fair cases, or
            `secret` is empty.
    """
    if not secret:
        raise ValueError("secret must be a text that nobody guesses, got ''")
    draw, names = draw_of(exercise.name), list(exercise.cases[0].inputs)
    found: list[Case] = []
    with usual_settings():
        for number in range(_TRIES * count):
            inputs = draw(Draw(_seed(secret, exercise.name, number)))
            name = f"hidden case {len(found) + 1} of {count}"
            case = Case(name, dict(zip(names, inputs, strict=True)), hidden=True)
            found += [case] if _is_fair(exercise, case) else []
            if len(found) == count:
                return tuple(found)
    raise ValueError(f"the draw for {exercise.name} must give {count} fair cases, got {len(found)}")


def _is_fair(exercise: Exercise, case: Case) -> bool:
    """Say whether the book's own right answers agree on a case: a grade hangs on no rounding."""
    one = exercise.with_cases((case,))
    try:
        return all(one.judge(one.record(right)).passed for right in exercise.right_answers)
    except ValueError:  # the reference itself refuses it
        return False


def _seed(secret: str, exercise: str, number: int) -> int:
    told = hmac.new(secret.encode(), f"{exercise} {number}".encode(), hashlib.sha256)
    return int.from_bytes(told.digest()[:7], "big")
