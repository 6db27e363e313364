"""The grader's own cases, drawn from the secret of a class.

All submissions of the class get the same cases, and nobody without the secret can know them.
"""

import hashlib
import hmac

from lessons.kit.exercises import Case, Draw, Exercise, cpu_time_limits, default_settings

#: The number of cases that the grader adds to the open ones.
COUNT = 8
_TRIES = 5  # draws per wanted case


def hidden_cases(exercise: Exercise, secret: str, count: int = COUNT) -> tuple[Case, ...]:
    """Draw the grader's cases for an exercise.

    Args:
        exercise: the exercise that the cases are for.
        secret: the secret of the class; another secret gives other cases.
        count: the number of cases.

    Raises:
        ValueError: `exercise` has no draw, its draw gives too few fair cases, or `secret` is
            empty.
    """
    if not secret:
        raise ValueError("secret must be a text that nobody guesses, got ''")
    if exercise.draw is None:
        raise ValueError(f"exercise must be one with a draw, got {exercise.name!r}")
    names = list(exercise.cases[0].inputs)
    found: list[Case] = []
    with default_settings(), cpu_time_limits():  # so a busy machine draws the same cases
        for number in range(_TRIES * count):
            inputs = exercise.draw(Draw(_seed(secret, exercise.name, number)))
            name = f"hidden case {len(found) + 1} of {count}"
            case = Case(name, dict(zip(names, inputs, strict=True)), hidden=True)
            found += [case] if _is_fair(exercise, case) else []
            if len(found) == count:
                return tuple(found)
    raise ValueError(f"the draw for {exercise.name} must give {count} fair cases, got {len(found)}")


def _is_fair(exercise: Exercise, case: Case) -> bool:
    """Return whether all right answers of the book pass, so no grade depends on rounding."""
    alone = exercise.with_cases((case,))
    try:
        return all(alone.judge(alone.record(right)).passed for right in exercise.right_answers)
    except ValueError:  # the reference itself rejects it
        return False


def _seed(secret: str, exercise: str, number: int) -> int:
    digest = hmac.new(secret.encode(), f"{exercise} {number}".encode(), hashlib.sha256)
    return int.from_bytes(digest.digest()[:7], "big")
