"""An exercise as data: what a check needs to know, without a single function that answers it.

A class gets its exercises in this form. What the reference does on each open case is kept, and what
each known mistake does there, with its message; how they do it is not. So a check says the same,
and nobody can look the answer up in it.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lessons.kit.exercises.exercise import Exercise, Trial
from lessons.kit.exercises.outcome import Outcome
from lessons.kit.exercises.properties import PROPERTIES
from lessons.kit.exercises.written import (
    cases_from_json,
    cases_to_json,
    outcomes_from_json,
    outcomes_to_json,
)


def _sealed_away(*_: Any) -> None:
    """Stand where the reference stood."""
    raise LookupError("this edition holds what a right answer gives, not how it is made")


@dataclass(frozen=True, eq=False, repr=False)
class SealedExercise(Exercise):
    """An exercise that has the outcomes of its reference and of its mistakes, and none of them.

    Args:
        outcomes: what the reference does, case by case, with all that is measured.
        failures: the message of each known mistake, and its trial.
    """

    outcomes: tuple[Outcome, ...] = ()
    failures: list[tuple[str, Trial]] = field(default_factory=list)

    @property
    def _expected(self) -> tuple[Outcome, ...]:
        return self.outcomes

    @property
    def _known_failures(self) -> list[tuple[str, Trial]]:
        return self.failures


def seal(exercise: Exercise, hints: int = 3) -> dict[str, Any]:
    """Write an exercise as plain data, with its first hints.

    Raises:
        ValueError: `hints` is not a number of hints that it has, or a property has no name here.
    """
    if not 0 <= hints <= len(exercise.hint_texts):
        raise ValueError(f"hints must be 0 to {len(exercise.hint_texts)}, got {hints}")
    for found in (*exercise.properties, *exercise.remarks):
        if PROPERTIES.get(found.name) is not found:
            raise ValueError(f"a property must stand in PROPERTIES, got {found.name!r}")
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
    """Forget the line that a mistake stopped at, which is a piece of its source."""
    return replace(outcome, line="")


def unseal(data: dict[str, Any]) -> SealedExercise:
    """Make an exercise of what `seal` wrote. It checks like the whole one."""
    return SealedExercise(
        name=data["name"],
        reference=_sealed_away,
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


def unseal_chapter(path: Path) -> dict[str, SealedExercise]:
    """Read the exercises of one chapter, by their names without the chapter's."""
    exercises = map(unseal, json.loads(path.read_text(encoding="utf-8")))
    return {exercise.name.partition(".")[2]: exercise for exercise in exercises}
