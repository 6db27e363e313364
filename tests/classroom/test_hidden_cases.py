"""The grader's own cases: every right answer passes them, and no known mistake does."""

import functools
import inspect
import json
import time
from dataclasses import replace

import pytest
import torch
from sampling import sample

from classroom.hidden import COUNT, hidden_cases
from lessons.kit import exercises
from lessons.kit.exercises import (
    Case,
    Draw,
    Exercise,
    call,
    cases_from_json,
    cases_to_json,
    execution,
    outcomes_to_json,
    pristine_torch,
    same_outcome,
)
from lessons.kit.exercises.snapshot import copy_inputs

EXERCISES = exercises.all_exercises()
SECRETS = ("a" * 64, "7" * 64)

DRAWS = 64
# How many known mistakes no draw shows: the open cases alone do, with numbers that chance avoids.
UNSEEN = {
    **{"decoder.cross_attend": 1, "decoding.nucleus": 1},
    **{"from_continuing_to_answering.dpo_loss": 1},
    **{"encoder.attend_in_batch": 1, "language_models.perplexity": 1, "scaling.tempered": 1},
    **{"the_cat_sat.impossible_entries": 1, "tokens.cut": 2, "tokens.tokens_saved": 1},
    **{"training_a_translator.clipped_gradients": 1, "what_a_transformer_does.adam_step": 2},
    "words_as_vectors.word_analogy": 1,
}

some_exercises = pytest.mark.parametrize("exercise", sample(EXERCISES, 10), ids=lambda e: e.name)
a_secret = pytest.mark.parametrize("secret", sample(SECRETS, 1), ids=lambda s: s[0])


@functools.cache
def graded(exercise: Exercise, secret: str) -> Exercise:
    """The exercise with the cases that a grader has."""
    return exercise.with_cases(exercise.cases + hidden_cases(exercise, secret))


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_every_exercise_draws_new_inputs(exercise):
    """Most draws are unlike each other and unlike what everybody can see."""
    names = exercise.cases[0].inputs
    inputs = (exercise.draw(Draw(seed)) for seed in range(COUNT))
    drawn = [Case("", dict(zip(names, given, strict=True))) for given in inputs]
    told, opened = (
        {json.dumps(case["inputs"], sort_keys=True) for case in cases_to_json(tuple(cases))}
        for cases in (drawn, exercise.cases)
    )
    assert len(told - opened) > COUNT / 2


@a_secret
@some_exercises
def test_right_answers_pass_and_known_mistakes_fail(exercise, secret):
    whole = graded(exercise, secret)
    for right in (exercise.reference, *exercise.right_answers):
        result = whole.judge(whole.record(right))
        assert result.passed, result.message
    for mistake in exercise.mistakes:
        result = whole.judge(whole.record(mistake.function))
        assert not result.passed
        assert mistake.message in result.causes


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_drawn_cases_separate_known_mistakes_from_right_answers(exercise):
    """These cases catch answers that only memorize the visible ones."""
    names, unseen = exercise.cases[0].inputs, exercise.mistakes
    for draws in (2, 8, DRAWS):  # the first few show most mistakes, and the rest need all of them
        drawn = (exercise.draw(Draw(seed)) for seed in range(draws if unseen else 0))
        cases = tuple(Case("", dict(zip(names, given, strict=True))) for given in drawn)
        alone = replace(exercise, cases=cases, mistakes=())
        unseen = [m for m in unseen if alone.judge(alone.record(m.function)).passed]
    assert len(unseen) <= UNSEEN.get(exercise.name, 0), [m.message for m in unseen]


@some_exercises
def test_memorized_visible_cases_fail(exercise):
    """The answer looks up the inputs and returns the stored results of the reference."""
    with pristine_torch():
        known = [(call(lambda *given: given, c.inputs), c.inputs) for c in exercise.cases]

    def looked_up(*given):
        asked = call(lambda: given, {})
        for seen, inputs in known:
            pairs = zip(given, inputs.values(), strict=True)
            same = all(a is b for a, b in pairs if inspect.isfunction(a))
            if same and same_outcome(seen, asked):
                return exercise.reference(*copy_inputs(inputs).values())
        return exercise.reference(*exercise.case(1).values())

    opened = exercise.judge(exercise.record(looked_up))
    assert opened.passed or exercise.properties  # it sends no gradients back
    whole = graded(exercise, SECRETS[0])
    result = whole.judge(whole.record(looked_up))
    assert not result.passed
    assert "hidden case" in result.message
    assert ".case(" not in result.message


@some_exercises
def test_hidden_cases_survive_serialization(exercise):
    """Written as JSON and read again, they are the same cases."""
    whole = graded(exercise, SECRETS[0])
    again = whole.with_cases(cases_from_json(cases_to_json(whole.cases)))
    first, second = whole.record(exercise.reference), again.record(exercise.reference)
    assert (
        outcomes_to_json(first) == outcomes_to_json(second)
        or torch.tensor([same_outcome(a, b) for a, b in zip(first, second, strict=True)]).all()
    )
    assert [case.hidden for case in again.cases] == [False] * len(exercise.cases) + [True] * COUNT


def test_busy_machine_draws_the_same_cases(monkeypatch):
    """A right answer that only waits for the processor stays right."""
    soft = exercises.attention.soft_lookup

    def waits(*inputs):
        time.sleep(0.3)
        return soft.reference(*inputs)

    slow = replace(soft, right_answers=(waits,))
    monkeypatch.setattr(execution, "TIME_LIMIT", 0.2)
    assert cases_to_json(hidden_cases(slow, "x", 1)) == cases_to_json(hidden_cases(soft, "x", 1))
