"""The gradient of a mean squared error, by autograd or by hand."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.what_a_transformer_does.exercises._line import (
    squared_error_slope,
    three_points,
)

_normal = normal_numbers("what_a_transformer_does.gradient")


def _cases() -> tuple[Case, ...]:
    def draw(n: int, d: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        shapes = {"x": (n, d), "y": (n,), "w": (d,)}
        return {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}

    solved = three_points() | {"w": torch.tensor([2.0])}
    return (
        Case("three points on y = 2x, w = 0", three_points()),
        Case("the same points at the best weight, w = 2", solved),
        Case("random numbers, n=5, d=3", draw(5, 3)),
        Case("random numbers in float64, n=4, d=2", draw(4, 2, torch.float64)),
        Case("one point, n=1, d=4", draw(1, 4)),
    )


_MISTAKES = mistakes(
    lambda x, y, w: squared_error_slope(x, y, w) * len(y),
    "This is the gradient of the sum of the squares. The loss is their mean.",
    lambda x, y, w: squared_error_slope(x, y, w) / 2,
    "The factor 2 is missing: the slope of e² is 2e.",
    lambda x, y, w: -squared_error_slope(x, y, w),
    "The sign is wrong: this points downhill. A gradient points uphill, and a step subtracts it.",
    lambda x, y, w: (x @ w - y).square().mean(),
    "This is the loss itself. The gradient says how it changes with each entry of w.",
    lambda x, y, w: 2 * (x @ w - y) / len(y),
    "This is the gradient with respect to the predictions. One step of the chain rule is left: "
    "each prediction changes with w by a row of x.",
    lambda x, y, w: 2 * (x @ w - y).mean() * x.mean(dim=0),
    "Errors and inputs are averaged separately. First multiply each error by its own row of x, "
    "then take the mean.",
)


def _by_autograd(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    w = w.clone().requires_grad_()
    return torch.autograd.grad((x @ w - y).square().mean(), w)[0]


def _draw(draw: Draw) -> Inputs:
    n, d = draw.size(), draw.size()
    return draw.normal(n, d), draw.normal(n), draw.normal(d)


gradient = Exercise(
    name="what_a_transformer_does.gradient",
    reference=squared_error_slope,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        _by_autograd,
        lambda x, y, w: (2 * (x @ w - y)[:, None] * x).mean(dim=0),
    ),
    draw=_draw,
    hint_texts=(
        "Which tensor do you want the gradient of the loss for, and how does autograd learn that?",
        "Take a copy of w that requires a gradient, compute the loss from it, and go backward.",
        "w = w.clone().requires_grad_(); loss = (x @ w - y).square().mean(); loss.backward(); the "
        "answer is w.grad.",
    ),
    starter='''\
def gradient(x, y, w):
    """The gradient of the mean of (x @ w - y)² with respect to w (d,)."""
    ...
''',
)
