"""Find the learning rate above which gradient descent on a linear model diverges."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("common_scale.largest_rate")


def _largest_rate(table: Tensor) -> Tensor:
    return 1 / torch.linalg.eigvalsh(table.mT @ table / len(table))[-1]


def _cases() -> tuple[Case, ...]:
    def draw(name: str, n: int, d: int, dtype: torch.dtype = torch.float32) -> Case:
        """Return correlated columns whose means are not 0."""
        table = _normal(n, d, dtype=dtype) + 1.5 * _normal(n, 1, dtype=dtype) + 0.5
        return Case(name, {"table": table})

    column = torch.tensor([[-3.0], [0.0], [3.0], [-3.0], [0.0], [3.0]])
    houses = torch.tensor([[-4.0, -1.0], [0.0, -1.0], [1.0, 0.0], [3.0, 2.0]])
    return (
        Case("one column of mean 0 and variance 6", {"table": column}),
        Case("two equal columns: half the rate", {"table": column.repeat(1, 2)}),
        Case("four houses, centered", {"table": houses}),
        draw("means that are not 0, N=9, D=3", 9, 3),
        draw("float64, N=6, D=4", 6, 4, torch.float64),
        draw("fewer rows than columns, N=2, D=5", 2, 5),
    )


_MISTAKES = mistakes(
    lambda x: 1 / x.square().mean(dim=0).max(),
    "This is the smallest of the rates that the single columns allow. Correlated columns allow "
    "less: use the steepest direction, the largest eigenvalue.",
    lambda x: 1 / x.square().mean(dim=0).sum(),
    "You sum the curvatures of all directions. Only the steepest one limits the rate.",
    lambda x: 2 * _largest_rate(x),
    "This is twice too large. The gradient of the mean squared error has a factor 2, so the factor "
    "of a step is 1 − 2 · rate · eigenvalue.",
    lambda x: _largest_rate(x) / 2,
    "At this rate the steepest direction reaches the minimum in one step. Divergence begins at "
    "twice this rate, where the factor of a step falls below −1.",
    lambda x: _largest_rate(x) / len(x),
    "You sum the products over the rows. The error is a mean, so divide by N.",
    lambda x: _largest_rate(x - x.mean(dim=0)),
    "You center the columns first. The model uses this table without centering.",
    lambda x: torch.linalg.eigvalsh(x.mT @ x / len(x))[-1],
    "This is the largest curvature (halved). The rate is 1 divided by it.",
    lambda x: 1 / torch.linalg.eigvalsh(x.mT @ x / len(x)).abs()[0],
    "You used the smallest eigenvalue, which belongs to the flattest direction. The steepest one "
    "limits the rate.",
    lambda x: 1 / torch.linalg.matrix_norm(x, ord=2) * len(x) ** 0.5,
    "This is 1 divided by the largest singular value. The curvature is its square.",
)


def _by_singular_values(table: Tensor) -> Tensor:
    return len(table) / torch.linalg.svdvals(table)[0].square()


def _by_norm(table: Tensor) -> Tensor:
    return 1 / torch.linalg.matrix_norm(table.mT @ table / len(table), ord=2)


def _draw(draw: Draw) -> Inputs:
    n, d = draw.size(3, 9), draw.size(2, 5)
    return (draw.normal(n, d) + draw.normal(n, 1, size=draw.choice(1, 2)) + draw.choice(0, 1),)


largest_rate = Exercise(
    name="common_scale.largest_rate",
    reference=_largest_rate,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_singular_values, _by_norm),
    draw=_draw,
    hint_texts=(
        "The factor of a step along one direction is 1 − rate · curvature. Which direction reaches "
        "−1 first?",
        "The curvatures along the axes of the valley are the eigenvalues of 2 · Xᵀ X / N. "
        "Divergence begins at 2 / curvature.",
        "torch.linalg.eigvalsh(table.T @ table / len(table)) returns the eigenvalues in increasing "
        "order. Each is half of a curvature.",
    ),
    starter='''\
def largest_rate(table):
    """The rate above which a linear model on table (N, D) diverges: ()."""
    raise NotImplementedError
''',
)
