"""The checks are checked: each known wrong answer gets its own message, right ones pass."""

import importlib.util
import itertools
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch
from IPython.core.formatters import DisplayFormatter
from sampling import first_of_each, one_of_each_chapter

from lessons.kit import exercises
from lessons.kit.exercises import Exercise, cases_to_json, masks, normalization, the_cat_sat

CHAPTERS = [getattr(exercises, name) for name in exercises.CHAPTERS]
EXERCISES = exercises.all_exercises()


BUG_HUNTS = [exercise for exercise in EXERCISES if exercise.is_bug_hunt]

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
every_answer_in_a_tensor = pytest.mark.parametrize(
    "exercise",
    one_of_each_chapter(
        [e for e in EXERCISES if isinstance(e.right_answers[0](*e.case(1).values()), torch.Tensor)],
    ),
    ids=lambda e: e.name,
)
every_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"),
    first_of_each(
        ((exercise, mistake) for exercise in EXERCISES for mistake in exercise.mistakes),
        lambda case: case[0].name,
    ),
    ids=lambda case: case.name if isinstance(case, Exercise) else case.message[:40],
)


def flat(message: str) -> str:
    """Undo the line breaks."""
    return " ".join(message.split())


def from_starter(exercise):
    """Run the starter as a notebook cell would, and return the function that it defines."""
    cell = {"__name__": "cell", "torch": torch}
    exec(exercise.starter, cell)
    return next(v for v in cell.values() if getattr(v, "__module__", "") == "cell")


def cause(exercise, function, capsys):
    """Return the text that `cause` prints."""
    capsys.readouterr()
    exercise.cause(function)
    return flat(capsys.readouterr().out)


def right(exercise):
    return exercise.right_answers[0]


# What the exercises are made of


@pytest.mark.parametrize("module", CHAPTERS, ids=lambda module: module.__name__)
def test_a_chapter_has_at_least_three_exercises_and_a_bug_to_find(module):
    own = [e for e in vars(module).values() if isinstance(e, Exercise)]
    assert len(own) >= 3
    assert any(e.is_bug_hunt for e in own)


@every_exercise
def test_an_exercise_has_mistakes_answers_hints_and_a_short_starter(exercise):
    assert exercises.get_exercise(exercise.name) is exercise
    assert len(exercise.mistakes) >= 5
    assert len({m.message for m in exercise.mistakes}) == len(exercise.mistakes)
    assert len(set(exercise.right_answers)) >= 2
    assert len(set(exercise.hint_texts)) == len(exercise.hint_texts) == 3
    assert "?" in exercise.hint_texts[0], "the first hint is a question"
    assert len(exercise.starter.splitlines()) <= 12
    assert len(repr(exercise)) < 60


@every_exercise
def test_hidden_cases_are_the_same_every_time(exercise):
    module, name = exercise.name.split(".")
    torch.manual_seed(12345)
    path = f"lessons.{module}.exercises.{name}"
    spec = importlib.util.find_spec(path)
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    fresh = getattr(again, name)
    assert fresh is not exercise
    assert repr(cases_to_json(fresh.cases)) == repr(cases_to_json(exercise.cases))


@every_exercise
def test_a_check_leaves_the_readers_seed_alone(exercise, capsys):
    before = torch.random.get_rng_state()
    exercise.check(exercise.mistakes[0].function)
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_the_sizes_of_a_hidden_case_all_differ(number):
    case = the_cat_sat.attend.case(number)
    sizes = [*case["query"].shape, *case["value"].shape]
    assert len(set(sizes)) == len(sizes)
    tokens = normalization.batch_norm_without_pads.case(number)["x"]
    assert len(set(tokens.shape)) == 3


# Wrong answers and right ones


@every_mistake
def test_a_known_wrong_answer_gets_its_own_message(exercise, mistake, capsys):
    result = exercise.check(mistake.function)
    assert not result.passed
    told = cause(exercise, mistake.function, capsys)
    assert told == f"{exercise.name}: the likely cause. {mistake.message}"
    if exercise in BUG_HUNTS:
        assert mistake.message not in flat(result.message)
        withheld = f"For the likely cause: exercises.{exercise.name}.cause(your_function)"
        assert result.message.splitlines()[-1] == withheld
    else:
        shown = [m.message for m in exercise.mistakes if m.message in flat(result.message)]
        assert shown == [mistake.message]
    assert max(map(len, result.message.splitlines())) <= 100
    assert exercise.check(mistake.function) == result


@every_exercise
def test_right_answers_pass(exercise, capsys):
    for answer in exercise.right_answers:
        result = exercise.check(answer)
        assert result.passed, result.message
        assert result.message == (
            f"{exercise.name}: correct. Your function passes all {len(exercise.cases)} cases."
        )


@every_exercise
def test_the_untouched_starter(exercise, capsys):
    message = flat(exercise.check(from_starter(exercise)).message)
    if exercise in BUG_HUNTS:
        assert "not right yet" in message and "Likely cause" not in message
        assert exercise.mistakes[0].message in cause(exercise, from_starter(exercise), capsys)
    else:
        assert message.startswith(f"{exercise.name}: not attempted yet.")
        assert f"exercises.{exercise.name}.hint(1)" in message
        assert cause(exercise, from_starter(exercise), capsys) == message


def test_a_wrong_value_is_shown_with_its_row(capsys):
    result = the_cat_sat.weights_of_words.check(from_starter(the_cat_sat.weights_of_words))
    assert result.message.splitlines()[1:5] == [
        "Case 2 of 7: The, CAT and SAT",
        "First wrong entry: output[0, 2] should be 0.4223, but yours is 0.2119.",
        "  its row should be  [0.4223, 0.1554, 0.4223]",
        "  your row is        [0.4223, 0.1554, 0.2119]",
    ]


def test_an_unknown_mistake_gets_no_invented_cause(capsys):
    result = the_cat_sat.attend.check(lambda q, k, v: torch.full_like(q @ k.mT @ v, 0.25))
    assert "output[0, 0] should be 0.8446, but yours is 0.2500" in result.message
    assert "Likely cause" not in result.message
    told = cause(the_cat_sat.attend, lambda q, k, v: torch.full_like(q @ k.mT @ v, 0.25), capsys)
    assert (
        "does not match any known mistake" in told
        and "exercises.the_cat_sat.attend.hint(1)" in told
    )


# The stages


NAMES = ["None", "...", "returns None", "returns ..."]


@pytest.mark.parametrize("stub", [None, ..., lambda *_: None, lambda *_: ...], ids=NAMES)
def test_not_attempted(stub, capsys):
    result = the_cat_sat.attend.check(stub)
    assert not result.passed
    assert result.message.startswith("the_cat_sat.attend: not attempted yet.")


def test_passing_a_result_instead_of_the_function_is_explained(capsys):
    message = flat(the_cat_sat.attend.check(torch.ones(2)).message)
    assert "check takes the function itself" in message
    assert message.endswith("got Tensor: tensor([1., 1.])")


def test_an_exception_is_named_with_its_line_and_no_stack(capsys):
    def attend(query, key, value):
        scale = key.shape[-1]
        return query @ key / scale

    lines = the_cat_sat.attend.check(attend).message.splitlines()
    assert lines[2:4] == [
        "Your function raised RuntimeError: mat1 and mat2 shapes cannot be multiplied "
        "(3x4 and 3x4)",
        "  at line 3 of attend: return query @ key / scale",
    ]
    assert __file__ not in "".join(lines)


@every_answer_in_a_tensor
def test_a_wrong_type(exercise, capsys):
    for convert, kind in (
        (lambda answer: [answer.tolist()], "list"),
        (lambda answer: np.asarray(answer.tolist()), "numpy.ndarray"),
        (lambda answer: (answer, answer), "tuple"),
    ):
        result = exercise.check(lambda *a, convert=convert: convert(right(exercise)(*a)))
        assert f"it should return a torch.Tensor, but it returned {kind}." in result.message


@every_answer_in_a_tensor
def test_an_answer_that_would_broadcast_is_refused(exercise, capsys):
    result = exercise.check(lambda *inputs: right(exercise)(*inputs)[None])
    shapes = [tuple(right(exercise)(*case.inputs.values()).shape) for case in exercise.cases]
    assert f"Shape: it should be {shapes[0]}, but yours is {(1, *shapes[0])}." in result.message
    if shapes[0]:
        result = exercise.check(lambda *inputs: right(exercise)(*inputs)[..., 0])
        assert "Shape: " in result.message
    if any(shape[-1] > 1 for shape in shapes if shape):
        result = exercise.check(lambda *inputs: right(exercise)(*inputs)[..., :1])
        assert "Shape: " in result.message


@every_answer_in_a_tensor
def test_a_wrong_dtype(exercise, capsys):
    result = exercise.check(lambda *inputs: right(exercise)(*inputs).to(torch.float16))
    assert "but yours is torch.float16." in result.message


@every_exercise
def test_an_input_edited_in_place(exercise, capsys):
    tensors = [n for n, value in exercise.case(1).items() if isinstance(value, torch.Tensor)]
    if not tensors:
        return  # plain numbers cannot be edited
    name, place = tensors[0], list(exercise.case(1)).index(tensors[0])

    def tidy_up(*inputs):
        answer = right(exercise)(*inputs)
        inputs[place].fill_(77)
        return answer

    assert f"Your function changed its own input: {name}." in exercise.check(tidy_up).message
    assert exercise.check(right(exercise)).passed  # the next check starts afresh


def test_problems_are_reported_in_the_order_of_the_stages(capsys):
    exercise = masks.masked_weights

    def attempt(*inputs):
        answer = right(exercise)(*inputs)
        for step in steps:
            answer = step(*inputs, answer)
        return answer

    def edit(scores, mask, answer):
        scores.add_(1)
        return answer

    words = ["First wrong entry", "changed its own input", "dtype:", "Shape:", "Type:", "raised"]
    steps: list[Callable] = []
    for word, step in zip(
        words,
        [
            lambda scores, mask, answer: answer + 1,
            edit,
            lambda scores, mask, answer: answer.half(),
            lambda scores, mask, answer: answer[0],
            lambda scores, mask, answer: answer.tolist(),
            lambda scores, mask, answer: answer / 0,
        ],
        strict=True,
    ):
        steps.append(step)  # each step adds a fault that an earlier stage finds
        assert word in exercise.check(attempt).message.splitlines()[2]


def test_right_answer_without_gradient_passes_with_a_remark(capsys):
    result = the_cat_sat.attend.check(lambda *qkv: right(the_cat_sat.attend)(*qkv).detach())
    assert result.passed
    assert "One more remark. This exercise asks only for the right numbers," in result.message
    assert "No gradient reaches query." in result.message


def test_a_missing_or_failing_gradient_is_reported(capsys):
    def overwritten(scores, mask):
        weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
        weights *= mask
        return weights

    cut_off = flat(
        masks.masked_weights.check(lambda s, m: right(masks.masked_weights)(s, m).detach()).message
    )
    assert "The output is right, but its gradient is not. No gradient reaches scores." in cut_off
    message = flat(masks.masked_weights.check(overwritten).message)
    assert "Computing the gradient raised RuntimeError: " in message
    assert "Make a new one: w = w / w.sum()." in message


# A notebook that replaces names in torch


def _always(*args, **kwargs):
    return True


REPLACED = [
    (torch, "allclose", _always),
    (torch, "equal", _always),
    (torch, "isclose", _always),
    (torch.testing, "assert_close", _always),
    (torch.Tensor, "__eq__", _always),
    (torch.Tensor, "__ne__", lambda *_: False),
    (torch.Tensor, "allclose", _always),
    (torch.Tensor, "equal", _always),
    (torch.Tensor, "tolist", lambda self: [[1.0]]),
    (torch.Tensor, "clone", lambda self: self),
    (torch.Tensor, "size", lambda self: (1, 1)),
    (torch.Tensor, "softmax", lambda self, dim: torch.zeros_like(self)),
    (torch.autograd, "grad", lambda outputs, inputs, *_, **__: [None] * len(inputs)),
]


@every_answer_in_a_tensor
def test_a_replaced_name_does_not_make_a_wrong_answer_pass(exercise, monkeypatch, capsys):
    cases = [exercise.case(n) for n in range(1, len(exercise.cases) + 1)]
    zeros = itertools.cycle([torch.zeros_like(right(exercise)(*c.values())) for c in cases])
    wrong = exercise.mistakes[0].function
    for owner, name, replacement in REPLACED:
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, replacement)
            assert "First wrong entry: output" in exercise.check(lambda *_: next(zeros)).message
            assert not exercise.check(wrong).passed


# Hints, cases and what a notebook shows


def test_hints_are_printed_one_by_one_or_together(capsys):
    for number in (1, 2, 3):
        the_cat_sat.attend.hint(number)
    one_by_one = capsys.readouterr().out
    the_cat_sat.attend.hints()
    assert capsys.readouterr().out == one_by_one
    assert one_by_one.startswith("Hint 1 of 3. ")
    assert max(map(len, one_by_one.splitlines())) <= 100


def test_a_case_is_a_copy():
    the_cat_sat.attend.case(1)["query"].zero_()
    assert the_cat_sat.attend.case(1)["query"].tolist()[0] == [1, 0, 1, 0]


def test_a_check_shows_its_message_exactly_once(capsys):
    result = the_cat_sat.attend.check(right(the_cat_sat.attend))
    assert capsys.readouterr().out == result.message + "\n"
    assert DisplayFormatter().format(result) == ({}, {})
    assert repr(result) == "Result(passed=True)"


def test_the_package_loads_no_exercise_and_the_exercises_load_no_figure():
    code = (
        "import sys, transformer_lite; assert 'lessons.kit.exercises' not in sys.modules; "
        "import lessons.kit.exercises; "
        "print([m for m in ('matplotlib', 'anywidget', 'ipywidgets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
