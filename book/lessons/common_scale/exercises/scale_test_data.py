"""Find the bug: a scaler that has seen the test data."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction

_normal = normal_numbers("common_scale.scale_test_data")


def _cases() -> tuple[Case, ...]:
    def draw(name: str, n: int, m: int, d: int, dtype: torch.dtype = torch.float32) -> Case:
        """Test data from elsewhere: another center and another spread, so that a leak shows."""
        train = 2 + 3 * _normal(n, d, dtype=dtype)
        return Case(name, {"train": train, "test": 9 + 0.5 * _normal(m, d, dtype=dtype)})

    houses = torch.tensor([[1200, 2], [1500, 3], [1800, 5]], dtype=torch.float32)
    new = torch.tensor([[2400, 6], [900, 1]], dtype=torch.float32)
    return (
        Case("three houses, and two that nobody has seen", {"train": houses, "test": new}),
        draw("N=7, M=4, D=3", 7, 4, 3),
        draw("float64, N=4, M=6, D=5", 4, 6, 5, torch.float64),
        draw("a single row to scale, N=5, M=1, D=3", 5, 1, 3),
        draw("one feature, N=6, M=3, D=1", 6, 3, 1),
    )


def _scaled_by(
    rows_of: TensorFunction,
    center: TensorFunction = lambda rows: rows.mean(dim=0),
    spread: TensorFunction = lambda rows: rows.std(dim=0, correction=0),
) -> TensorFunction:
    """Return a scaler of the test data with statistics from the rows of (train, test)."""

    def function(train: Tensor, test: Tensor) -> Tensor:
        rows = rows_of(train, test)
        return (test - center(rows)) / spread(rows)

    return function


def _train(train: Tensor, test: Tensor) -> Tensor:
    return train


def _both(train: Tensor, test: Tensor) -> Tensor:
    return torch.cat([train, test])


_MISTAKES = mistakes(
    _scaled_by(_both),
    "The test data take part in the statistics. Whatever is reported about them afterwards, "
    "they were seen before.",
    _scaled_by(lambda train, test: test),
    "The test data are scaled with their own statistics. The model learned in the units of "
    "the training data; in other units the same house looks like another one.",
    lambda train, test: (test - train.mean(dim=0)) / _both(train, test).std(dim=0, correction=0),
    "The mean is right. The standard deviation still comes from the test data as well.",
    lambda train, test: (test - _both(train, test).mean(dim=0)) / train.std(dim=0, correction=0),
    "The standard deviation is right. The mean still comes from the test data as well.",
    _scaled_by(_train, spread=lambda rows: rows.std(dim=0)),
    "The right rows. The standard deviation divides by n − 1, as torch does unless you tell it "
    "otherwise; these z-scores divide by n.",
    _scaled_by(_train, lambda rows: rows.mean(), lambda rows: rows.std(correction=0)),
    "One mean and one standard deviation serve all features. Each column needs its own pair.",
    _scaled_by(_train, spread=lambda rows: rows.var(dim=0, correction=0)),
    "The numbers are divided by the variance. The root is missing.",
)


def _scaled_behind_the_training_data(train: Tensor, test: Tensor) -> Tensor:
    variance, mean = torch.var_mean(train, dim=0, correction=0, keepdim=True)
    return (test - mean) * torch.rsqrt(variance)


def _draw(draw: Draw) -> Inputs:
    d = draw.size()
    train = draw.normal(draw.size(4, 8), d, size=3, shift=2)
    return train, draw.normal(draw.size(), d, shift=draw.choice(0, 9))


scale_test_data = Exercise(
    name="common_scale.scale_test_data",
    reference=_scaled_by(_train),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_scaled_by(_train), _scaled_behind_the_training_data),
    draw=_draw,
    hint_texts=(
        "Imagine that the test data arrive a year after the model was trained. Which numbers are "
        "known by then?",
        "The mean and the standard deviation describe the training data. Which rows may they be "
        "computed from?",
        "Take train.mean(dim=0) and train.std(dim=0, correction=0); nothing is concatenated.",
    ),
    starter='''\
def scale_test_data(train, test):
    """Return test (M, D) in the z-scores that train (N, D) defines."""
    rows = torch.cat([train, test])
    mean = rows.mean(dim=0)
    std = rows.std(dim=0, correction=0)
    return (test - mean) / std
''',
)
