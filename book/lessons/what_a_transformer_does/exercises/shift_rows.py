"""Add one number to each row and one to each column: broadcasting."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("what_a_transformer_does.shift_rows")


def _shift(x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    return x + rows.unsqueeze(1) + columns


def _cases() -> tuple[Case, ...]:
    def draw(t: int, d: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        shapes = {"x": (t, d), "rows": (t,), "columns": (d,)}
        return {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    zeros = {
        "x": torch.zeros(3, 3),
        "rows": torch.tensor([10.0, 20, 30]),
        "columns": torch.tensor([1.0, 2, 3]),
    }
    return (
        Case("a table of zeros, T=3, D=3", zeros),
        Case("random numbers, T=4, D=2", draw(4, 2)),
        Case("random numbers in float64, T=2, D=5", draw(2, 5, torch.float64)),
        Case("one row, T=1, D=3", draw(1, 3)),
        Case("one column, T=3, D=1", draw(3, 1)),
    )


_MISTAKES = mistakes(
    lambda x, rows, columns: x + rows + columns,
    "Both vectors are lined up with the columns: shapes are compared from the right. Turn "
    "rows into a column first, of shape (T, 1).",
    lambda x, rows, columns: x + rows + columns[:, None],
    "Rows and columns are exchanged: the numbers of `rows` go along each row, those of "
    "`columns` down each column.",
    lambda x, rows, columns: x + rows[:, None],
    "The rows are shifted and the columns are not.",
    lambda x, rows, columns: x + columns,
    "The columns are shifted and the rows are not.",
    lambda x, rows, columns: x + rows.sum() + columns.sum(),
    "Each vector is added up to one number first. Row t gets rows[t] and no other.",
)


def _with_loops(x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    return torch.stack([row + shift + columns for row, shift in zip(x, rows, strict=True)])


def _draw(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    return draw.normal(t, d), draw.normal(t), draw.normal(d)


shift_rows = Exercise(
    name="what_a_transformer_does.shift_rows",
    reference=_shift,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_with_loops, lambda x, rows, columns: columns + (x.mT + rows).mT),
    draw=_draw,
    hint_texts=(
        "Write the shapes under each other, lined up on the right. Which of the two vectors is "
        "already under the columns of x?",
        "columns, of shape (D,), fits as it is. rows must become (T, 1), so that it lines up with "
        "the rows.",
        "rows[:, None] has the shape (T, 1). Add x, this and columns.",
    ),
    starter='''\
def shift_rows(x, rows, columns):
    """Add rows[t] to row t of x (T, D), and columns[d] to column d."""
    ...
''',
    remarks=(GRADIENT,),
)
