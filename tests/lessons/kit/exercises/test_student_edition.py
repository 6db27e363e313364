"""An exercise stored as data gives the original's verdicts, in any process."""

import json

import pytest
import torch
from sampling import sample

from lessons.kit import exercises
from lessons.kit.exercises import (
    Case,
    attention,
    exercise_to_json,
    masks,
    outcomes_from_json,
    outcomes_to_json,
    output_and_loss,
    same_outcome,
)
from lessons.kit.exercises.student_edition import exercise_from_json

EXERCISES = exercises.all_exercises()
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
some_exercises = pytest.mark.parametrize("exercise", sample(EXERCISES, 10), ids=lambda e: e.name)


def nothing_like_it(*_):
    return {"an answer": [torch.tensor([1.0, float("nan")]), 1j, b"x", {2, "b"}, (10**30, None)]}


def raises(*_):
    raise KeyError("what")


def elsewhere(exercise, function):
    """Return the outcomes of a function, as they come back from another process."""
    return outcomes_from_json(json.loads(json.dumps(outcomes_to_json(exercise.record(function)))))


@every_exercise
def test_a_student_exercise_has_the_same_data_as_the_original(exercise):
    once = json.dumps(exercise_to_json(exercise))
    assert once == json.dumps(exercise_to_json(exercise))
    sealed = exercise_from_json(json.loads(once))
    assert [case.name for case in sealed.cases] == [case.name for case in exercise.cases]
    pairs = zip(sealed._known_failures, exercise._known_failures, strict=True)
    for (message, known), (whole_message, whole) in pairs:
        assert (message, known.stage, known.case) == (whole_message, whole.stage, whole.case)
        assert all(map(same_outcome, known.outcomes, whole.outcomes))
    assert (sealed.mistakes, sealed.right_answers) == ((), ())
    with pytest.raises(LookupError, match="but not its code"):
        sealed.reference()


@some_exercises
def test_student_exercise_prints_the_same_messages(exercise, capsys):
    """For right answers, known mistakes and unexpected answers."""
    sealed = exercise_from_json(json.loads(json.dumps(exercise_to_json(exercise))))
    mistakes = [mistake.function for mistake in exercise.mistakes]
    odd = nothing_like_it, raises, lambda *inputs: inputs[0]
    capsys.readouterr()
    for function in (*exercise.right_answers, *mistakes, *odd):
        said = exercise.check(function)
        assert sealed.check(function) == said
        assert exercise.judge(elsewhere(sealed, function)) == said
        capsys.readouterr()
        exercise.cause(function)
        cause = capsys.readouterr().out
        sealed.cause(function)
        assert capsys.readouterr().out == cause


# What a grader does


def test_a_hidden_case_is_named_and_not_shown():
    hidden = Case("a case of the grader", {"x": torch.ones(1, 2, 3)}, hidden=True)
    exercise = attention.contextual.with_cases((*attention.contextual.cases, hidden))
    open_cases = len(attention.contextual.cases)

    def memorized(x):
        return x if x.shape == (1, 2, 3) else attention.contextual.right_answers[0](x)

    def doubled(x):
        return 2 * memorized(x) if x.shape == (1, 2, 3) else memorized(x)

    assert exercise.judge(exercise.record(memorized)).passed
    result = exercise.judge(exercise.record(doubled))
    assert not result.passed
    assert f"Case {open_cases + 1} of {open_cases + 1}: a case of the grader" in result.message
    assert ".case(" not in result.message
    assert ".case(" in exercise.judge(exercise.record(lambda x: x * 2)).message


def test_bug_hunt_shows_the_cause_only_on_hidden_cases():
    exercise = attention.attend
    bug = exercise.mistakes[0]
    open_case = exercise.judge(exercise.record(bug.function))
    hidden = tuple(Case(c.name, c.inputs, hidden=True) for c in exercise.cases)
    graded = exercise.with_cases(hidden)
    told = graded.judge(graded.record(bug.function))
    assert open_case.causes == told.causes == (bug.message,)
    assert "Likely cause" not in open_case.message and "Likely cause" in told.message


def test_malformed_results_are_not_accepted_as_an_answer():
    exercise = masks.masked_weights
    right = exercise.record(exercise.right_answers[0])
    assert exercise.judge(right).passed
    count = len(exercise.cases)
    for few in ((), right[:-1], (*right, right[0])):
        with pytest.raises(ValueError, match=f"each of the {count} cases, got {len(few)}"):
            exercise.judge(few)
    bare = exercise.record(raises)[0]
    with pytest.raises(ValueError, match=r"outcomes must measure \[\], got \['gradient'\]"):
        exercise.judge((bare, *right[1:]))
    data = outcomes_to_json(right)
    for outcome in data:
        outcome["measured"] = {}
    with pytest.raises(ValueError, match=r"outcomes must measure \['gradient'\], got \[\]"):
        exercise.judge(outcomes_from_json(data))


def test_a_wrong_measurement_fails_where_the_numbers_are_right():
    exercise = output_and_loss.logit_gradient
    data = outcomes_to_json(exercise.record(exercise.right_answers[0]))
    data[0]["measured"]["way"] = "raised RuntimeError: no autograd here"
    assert "Do not use autograd" in exercise.judge(outcomes_from_json(data)).message


GOOD = {"error": "", "line": "", "edited": [], "measured": {}, "out_of_time": False}
ODD = [
    ({}, "the outcomes must be of the type list, got {}"),
    ([[]], r"an outcome must be of the type dict, got \[\]"),
    ([{"error": ""}], "an outcome must have the keys error, line, answer"),
    (["int", "3"], "a long number must be hexadecimal, got '3'"),
    (["int", True], "a number must be of the type int, got True"),
    (["float", 3], "a number must be of the type float, got 3"),
    (["tuple", {}], "the entries must be of the type list, got {}"),
    (["dict", [[["int", 1]]]], "a dict must have pairs"),
    (["complex", [1.0]], "it must have two parts"),
    (["some.Thing", 3], "a value of the kind some.Thing must have no content, got 3"),
    (["str", "x" * 100_001], "a text must have 100000 characters at most"),
    (["torch.Tensor", [[2], "torch.float32", [1.0]]], r"a tensor \(2,\) must have so many numbers"),
    (["torch.Tensor", [[1], "torch.float32", [1]]], "a number must be of the type float, got 1"),
    (["torch.Tensor", [[1], "torch.int64", [1.0]]], "a number must be of the type int, got 1.0"),
    (["torch.Tensor", [[1], "torch.bool", [1]]], "a truth value must be of the type bool, got 1"),
    (["torch.Tensor", [[1], "os.system", [1]]], "a dtype must be one of torch's, got 'os.system'"),
    (["torch.Tensor", [[-1], "torch.bool", []]], "a shape must have no negative sizes"),
    (["torch.Tensor", [[1], "torch.bool"]], "a tensor must have three parts"),
    ([], "a value must be a kind and a content"),
]


@pytest.mark.parametrize(("data", "message"), ODD, ids=[message[:40] for _, message in ODD])
def test_odd_data_is_refused_by_name(data, message):
    whole = not isinstance(data, list) or (data and not isinstance(data[0], str))
    with pytest.raises(ValueError, match=message):
        outcomes_from_json(data if whole else [{**GOOD, "answer": data}])
