"""The file for assistants has hints and causes for every exercise, and gives nothing away."""

import inspect

import pytest
from assistants import help_with

from lessons.kit.exercises import all_exercises

EXERCISES = all_exercises()
TEXT = help_with(EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_an_exercise_has_its_first_hints_and_causes_but_not_its_solution(exercise):
    section = TEXT.split(f"## exercises.{exercise.name}\n")[1].split("\n## exercises.")[0]
    first, second, last = exercise.hint_texts
    assert first in section and second in section and last not in section
    assert all(mistake.message in section for mistake in exercise.mistakes)
    given = exercise.starter + "".join(mistake.message for mistake in exercise.mistakes)
    for function in filter(inspect.isfunction, (exercise.reference, *exercise.right_answers)):
        lines = [line.strip() for line in inspect.getsource(function).splitlines()]
        code = [line for line in lines if len(line) > 25 and line not in given]
        assert not [line for line in code if line in section]


def test_the_rules_come_first():
    assert TEXT.startswith("# How to help") and TEXT.index("Do not write") < TEXT.index("## exer")
