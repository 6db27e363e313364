"""Min–max scaling of a table, column by column, to any range."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers import norms

_normal = normal_numbers("common_scale.rescale")


def _cases() -> tuple[Case, ...]:
    def draw(name: str, n: int, d: int, low: float, high: float, **of: torch.dtype) -> Case:
        table = 5 + 3 * _normal(n, d, **of)
        return Case(name, {"table": table, "low": low, "high": high})

    pay = torch.tensor([[1_000_000.0, 15], [1_500_000, 12], [2_000_000, 10]])
    return (
        Case("salary and bonus, from 0 to 1", {"table": pay, "low": 0.0, "high": 1.0}),
        Case("salary and bonus, from −1 to 1", {"table": pay, "low": -1.0, "high": 1.0}),
        draw("N=5, D=3, from 2 to 5", 5, 3, 2.0, 5.0),
        draw("float64, N=4, D=6, from −3 to −0.5", 4, 6, -3.0, -0.5, dtype=torch.float64),
        draw("one feature, N=6, D=1, from 0 to 255", 6, 1, 0.0, 255.0),
    )


def _unit(table: Tensor) -> Tensor:
    return norms.min_max(table, dim=0)


def _rescaled(unit_of: TensorFunction) -> TensorFunction:
    """Return a scaler that stretches what `unit_of` makes of the table."""

    def function(table: Tensor, low: float, high: float) -> Tensor:
        return low + (high - low) * unit_of(table)

    return function


_MISTAKES = mistakes(
    _rescaled(lambda table: (table - table.min()) / (table.max() - table.min())),
    "One smallest and one largest number serve the whole table. Each column has its own.",
    _rescaled(lambda table: norms.min_max(table, dim=1)),
    "The ends are those of each row. A feature is a column: its ends lie along dim=0.",
    lambda table, low, high: _unit(table),
    "The columns run from 0 to 1. Stretch them to the length high − low, then shift them.",
    lambda table, low, high: (high - low) * _unit(table),
    "The length of the range is right. It has to begin at `low`, not at 0.",
    _rescaled(lambda table: table / table.amax(dim=0)),
    "The numbers are divided by the largest of their column. Subtract the smallest first, and "
    "divide by the whole range.",
    _rescaled(lambda table: (table - table.amin(dim=0)) / table.amax(dim=0)),
    "The smallest is subtracted, but the divisor is the largest number. Divide by the range, "
    "largest minus smallest.",
    _rescaled(lambda table: norms.standardize(table, dim=0)),
    "These are z-scores, stretched. Use the smallest and the largest number of each column.",
)


def _rescaled_by_lerp(table: Tensor, low: float, high: float) -> Tensor:
    smallest, largest = torch.aminmax(table, dim=0)
    share = (table - smallest) / (largest - smallest)
    return (1 - share) * low + share * high


def _draw(draw: Draw) -> Inputs:
    low = draw.choice(-3.0, 0.0, 1.5)
    table = draw.normal(draw.size(3, 8), draw.size(), size=draw.choice(1, 4), shift=5)
    return table, low, low + draw.choice(0.5, 1.0, 4.0)


rescale = Exercise(
    name="common_scale.rescale",
    reference=_rescaled(_unit),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_rescaled(_unit), _rescaled_by_lerp),
    draw=_draw,
    hint_texts=(
        "What does min–max scaling make of a column, and what has to happen to the range from 0 to "
        "1 so that it becomes the range from low to high?",
        "Find the smallest and the largest number of each column. Scale to 0 … 1 as in the "
        "chapter. Then multiply by the length of the new range and add where it begins.",
        "smallest = table.amin(dim=0), largest = table.amax(dim=0); a share of s of the way lands "
        "at low + (high - low) * s.",
    ),
    starter='''\
def rescale(table, low, high):
    """Send each column of table (N, D) to the range from low to high."""
    raise NotImplementedError
''',
)
