"""A check passes every right answer, however it is computed, and no wrong one.

What is right is decided here by other inputs than those of the check: a function is right if it
does what the reference does on inputs drawn at random from all that the statement allows. A mutant
that passes the check has to be right in this sense. So no list of equal mutants is kept by hand.
"""

import functools
import itertools

import pytest
import torch
from mutants import can_be_changed, mutants, wrappers
from sampling import sample

from lessons.kit import exercises
from lessons.kit.exercises import Draw, call, execution, pristine_torch, same_outcome
from lessons.kit.exercises.compare import first_difference
from lessons.kit.exercises.snapshot import take_snapshot

EXERCISES = exercises.all_exercises()
DRAWS = 40

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
some_exercises = pytest.mark.parametrize("exercise", sample(EXERCISES, 10), ids=lambda e: e.name)

#: Axes of an output that no right input makes as long as 1, and why.
NEVER_ONE = {
    ("language_models.add_k_table", 0): "begin and end",
    ("language_models.add_k_table", 1): "begin and end",
    ("cost_and_order.count_attention", 1): "three counts",
    ("cost_and_order.decode_bytes", 1): "the cache and what is read",
    ("looking_inside.leave_one_out", 0): "two of each kind",
    ("common_scale.fold_scaling", 0): "the weights and the bias are two at least",
    ("residual_connections.by_path_length", 0): "one layer has paths of two lengths",
    ("residual_connections.walk_back", 0): "one layer has two states",
    ("sinusoidal_positions.shift", 1): "a sine and a cosine",
    ("decoding.write_by_chance", 0): "a start of two words",
    ("rotary_positions.rotate_halves", 1): "two halves",
    ("rotary_positions.to_half_split", 1): "two entries of a pair",
}


@functools.lru_cache(maxsize=1)
def drawn(exercise):
    """Inputs that no check has seen, and what the reference does there."""
    names = list(exercise.cases[0].inputs)
    draws = (exercise.draw(Draw(seed)) for seed in range(DRAWS))
    inputs = [dict(zip(names, drawn, strict=True)) for drawn in draws]
    with pristine_torch():
        expected = [call(exercise.reference, i) for i in inputs]
    assert not any(outcome.error for outcome in expected)
    return list(zip(inputs, expected, strict=True))


def is_right(exercise, function):
    """Return whether a function does what the reference does on inputs that no check has seen."""
    return all(
        same_outcome(call(function, inputs), expected) for inputs, expected in drawn(exercise)
    )


def test_minus_infinity_may_be_added_instead_of_filled_in():
    """A hidden score receives no gradient, so none can be missing."""

    def added(scores, slopes):
        place = torch.arange(scores.shape[-1])
        distance = (place[:, None] - place).abs()
        hidden = torch.full(distance.shape, -torch.inf, dtype=scores.dtype).triu(1)
        return scores - slopes[:, None, None] * distance + hidden

    result = exercises.position_families.alibi_scores.check(added)
    assert result.passed
    assert "gradient" not in result.message


@pytest.mark.parametrize(
    ("dtype", "apart", "right"),
    [
        *((torch.float32, 2e-5, True), (torch.float32, 1e-3, False)),
        *((torch.float64, 2e-7, True), (torch.float64, 1e-5, False)),
    ],
)
def test_only_differences_of_the_size_of_rounding_are_tolerated(dtype, apart, right):
    expected = torch.tensor([1.0, -2.0], dtype=dtype)
    assert (
        first_difference(take_snapshot(expected + apart), take_snapshot(expected)) is None
    ) == right


@some_exercises
def test_right_answers_pass_and_are_right_on_drawn_inputs_too(exercise, capsys):
    for number, right in enumerate(exercise.right_answers):
        result = exercise.check(right)
        assert result.passed, f"{number}: {result.message}"
        assert is_right(exercise, right), number


# An answer to this one is a test, and the same test with other inputs is as right.
FREE = {"layer_norm.is_layer_norm"}
MUTABLE = {
    exercise: [f for f in (exercise.reference, *exercise.right_answers) if can_be_changed(f)]
    for exercise in EXERCISES
    if exercise.name not in FREE
}


@pytest.mark.parametrize(
    "exercise", sample([e for e in EXERCISES if MUTABLE.get(e)], 5), ids=lambda e: e.name
)
def test_a_mutant_of_a_right_answer_fails_or_is_right(exercise, monkeypatch, capsys):
    """A mutant that never ends is given up soon: it fails."""
    for function in (exercise.mistakes[0].function, *exercise.right_answers):
        exercise.check(function)  # what a check needs, and what torch loads late, without haste
    tried, passed = 0, []
    with monkeypatch.context() as patch:
        patch.setattr(execution, "TIME_LIMIT", 0.3)
        for right in MUTABLE[exercise]:
            for change, mutant in mutants(right):
                tried += 1
                if exercise.check(mutant).passed:
                    passed.append((f"{right.__name__}: {change}", mutant))
    assert tried >= 10 and len(passed) < tried / 5
    for change, mutant in passed:
        assert is_right(exercise, mutant), change


@some_exercises
def test_a_slip_at_the_end_of_a_right_answer_fails_or_changes_nothing(exercise, capsys):
    right = exercise.right_answers[0]
    for slip, change in wrappers().items():

        def wrapped(*inputs, change=change):
            return change(right(*inputs))

        assert not exercise.check(wrapped).passed or is_right(exercise, wrapped), slip


@every_exercise
def test_every_axis_of_the_output_is_of_size_1_in_some_case(exercise):
    shapes = [
        answer.shape
        for n in range(1, len(exercise.cases) + 1)
        if isinstance(answer := exercise.right_answers[0](*exercise.case(n).values()), torch.Tensor)
    ]
    for axis in range(min(map(len, shapes), default=0)):
        one = any(shape[axis] == 1 for shape in shapes)
        assert one != ((exercise.name, axis) in NEVER_ONE), f"axis {axis}"


@some_exercises
def test_cause_needs_agreement_in_every_case(exercise, capsys):
    """A function that differs from a known mistake in a single case is another mistake."""

    def told(function):
        capsys.readouterr()
        exercise.cause(function)
        return " ".join(capsys.readouterr().out.split())

    for mistake in exercise.mistakes:
        assert mistake.message in told(lambda *inputs, m=mistake: m.function(*inputs))
        for spared in (1, len(exercise.cases) - 1):
            number = itertools.count()

            def partly(*inputs, mistake=mistake, spared=spared, number=number):
                right = next(number) % len(exercise.cases) == spared
                return (exercise.reference if right else mistake.function)(*inputs)

            if mistake.message in told(partly):
                inputs = exercise.cases[spared].inputs
                assert same_outcome(
                    call(mistake.function, inputs), call(exercise.reference, inputs)
                )
