"""Find the bug: a scaler that uses the test data."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction

_normal = normal_numbers("common_scale.scale_test_data")


def _cases() -> tuple[Case, ...]:
    def draw(name: str, n: int, m: int, d: int, dtype: torch.dtype = torch.float32) -> Case:
        """Return test data with another center and another spread, so that a leak is visible."""
        train = 2 + 3 * _normal(n, d, dtype=dtype)
        return Case(name, {"train": train, "test": 9 + 0.5 * _normal(m, d, dtype=dtype)})

    houses = torch.tensor([[1200, 2], [1500, 3], [1800, 5]], dtype=torch.float32)
    new = torch.tensor([[2400, 6], [900, 1]], dtype=torch.float32)
    return (
        Case("three training houses and two test houses", {"train": houses, "test": new}),
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
    "The statistics include the test data. Then the test error no longer measures new data.",
    _scaled_by(lambda train, test: test),
    "You scale the test data with their own statistics. The model learned with the scale of the "
    "training data. On another scale the same house has other numbers.",
    lambda train, test: (test - train.mean(dim=0)) / _both(train, test).std(dim=0, correction=0),
    "The mean is right, but the standard deviation still includes the test data.",
    lambda train, test: (test - _both(train, test).mean(dim=0)) / train.std(dim=0, correction=0),
    "The standard deviation is right, but the mean still includes the test data.",
    _scaled_by(_train, spread=lambda rows: rows.std(dim=0)),
    "You use the right rows, but the standard deviation divides by n − 1, the default of torch. "
    "These z-scores divide by n.",
    _scaled_by(_train, lambda rows: rows.mean(), lambda rows: rows.std(correction=0)),
    "You use one mean and one standard deviation for all features. Each column needs its own.",
    _scaled_by(_train, spread=lambda rows: rows.var(dim=0, correction=0)),
    "You divide by the variance. Take its square root first.",
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
        "Imagine that the test data arrive a year after training. Which numbers are known during "
        "training?",
        "The mean and the standard deviation describe the training data. From which rows may you "
        "compute them?",
        "Use train.mean(dim=0) and train.std(dim=0, correction=0), without concatenating.",
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
