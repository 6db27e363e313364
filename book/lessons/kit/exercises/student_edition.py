"""Write exercises as data for students: everything that a check needs, without any solution.

A class gets its exercises in this form. It contains the outcomes of the reference and of each known
mistake on the open cases, and the messages, but none of these functions. So a check prints the same
messages, and nobody can look up an answer in it.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lessons.kit.exercises.exercise import Exercise, Trial
from lessons.kit.exercises.outcome import Outcome
from lessons.kit.exercises.properties import PROPERTIES
from lessons.kit.exercises.serialize import (
    cases_from_json,
    cases_to_json,
    outcomes_from_json,
    outcomes_to_json,
)


def _withheld(*_: Any) -> None:
    """Replace the reference, which students do not get."""
    raise LookupError("this edition has the results of the reference, but not its code")


@dataclass(frozen=True, eq=False, repr=False)
class StudentExercise(Exercise):
    """An exercise with the outcomes of its reference and its mistakes, but without their code.

    Args:
        outcomes: the outcome of the reference on each case, with all its measurements.
        failures: the message and the trial of each known mistake.
    """

    outcomes: tuple[Outcome, ...] = ()
    failures: list[tuple[str, Trial]] = field(default_factory=list)

    @property
    def _expected(self) -> tuple[Outcome, ...]:
        return self.outcomes

    @property
    def _known_failures(self) -> list[tuple[str, Trial]]:
        return self.failures


def exercise_to_json(exercise: Exercise, hints: int = 3) -> dict[str, Any]:
    """Return an exercise as JSON data, with its first hints.

    Raises:
        ValueError: the exercise does not have that many hints, or a property is not in PROPERTIES.
    """
    if not 0 <= hints <= len(exercise.hint_texts):
        raise ValueError(f"hints must be 0 to {len(exercise.hint_texts)}, got {hints}")
    for found in (*exercise.properties, *exercise.remarks):
        if PROPERTIES.get(found.name) is not found:
            raise ValueError(f"a property must be in PROPERTIES, got {found.name!r}")
    return {
        "name": exercise.name,
        "cases": cases_to_json(exercise.cases),
        "outcomes": outcomes_to_json(exercise._expected),
        "failures": [
            [message, trial.stage, trial.case, outcomes_to_json(map(_without_line, trial.outcomes))]
            for message, trial in exercise._known_failures
        ],
        "properties": [p.name for p in exercise.properties],
        "remarks": [p.name for p in exercise.remarks],
        "hints": list(exercise.hint_texts[:hints]),
        "starter": exercise.starter,
    }


def _without_line(outcome: Outcome) -> Outcome:
    """Remove the line where a mistake failed, which is a piece of its source."""
    return replace(outcome, line="")


def exercise_from_json(data: dict[str, Any]) -> StudentExercise:
    """Return the exercise from the data of `exercise_to_json`. It checks like the original."""
    return StudentExercise(
        name=data["name"],
        reference=_withheld,
        cases=cases_from_json(data["cases"]),
        mistakes=(),
        right_answers=(),
        hint_texts=tuple(data["hints"]),
        starter=data["starter"],
        properties=tuple(PROPERTIES[name] for name in data["properties"]),
        remarks=tuple(PROPERTIES[name] for name in data["remarks"]),
        outcomes=outcomes_from_json(data["outcomes"]),
        failures=[
            (message, Trial(outcomes_from_json(outcomes), stage, case))
            for message, stage, case, outcomes in data["failures"]
        ],
    )


def load_chapter(path: Path) -> dict[str, StudentExercise]:
    """Read the exercises of one chapter, by their names without the chapter."""
    exercises = map(exercise_from_json, json.loads(path.read_text(encoding="utf-8")))
    return {exercise.name.partition(".")[2]: exercise for exercise in exercises}
