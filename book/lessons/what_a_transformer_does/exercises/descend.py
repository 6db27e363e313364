"""Find the bug: gradients that pile up from step to step."""

from typing import Any

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.what_a_transformer_does.exercises._line import (
    squared_error_slope,
    three_points,
)

_normal = normal_numbers("what_a_transformer_does.descend")


def _descend(x: Tensor, y: Tensor, w: Tensor, rate: float, steps: int) -> Tensor:
    for _ in range(steps):
        w = w - rate * squared_error_slope(x, y, w)
    return w


def _cases() -> tuple[Case, ...]:
    def draw(
        n: int, d: int, rate: float, steps: int, dtype: torch.dtype = torch.float32
    ) -> dict[str, Any]:
        shapes = {"x": (n, d), "y": (n,), "w": (d,)}
        numbers = {name: _normal(*shape, dtype=dtype) for name, shape in shapes.items()}
        return numbers | {"rate": rate, "steps": steps}

    return (
        Case("three points on y = 2x, one step", three_points() | {"rate": 0.1, "steps": 1}),
        Case("the same points, three steps", three_points() | {"rate": 0.05, "steps": 3}),
        Case("random numbers, n=5, d=3, seven steps", draw(5, 3, 0.1, 7)),
        Case("float64, n=4, d=2, two steps", draw(4, 2, 0.03, 2, torch.float64)),
        Case("no step at all, n=3, d=2", draw(3, 2, 0.1, 0)),
    )


def _piling_up(x: Tensor, y: Tensor, w: Tensor, rate: float, steps: int) -> Tensor:
    total = torch.zeros_like(w)
    for _ in range(steps):
        total = total + squared_error_slope(x, y, w)
        w = w - rate * total
    return w


_MISTAKES = mistakes(
    _piling_up,
    "backward adds to the gradient that is there already, so each step repeats all steps "
    "before it. Set w.grad to None, or to 0, before the next backward.",
    lambda x, y, w, rate, steps: _descend(x, y, w, -rate, steps),
    "The gradient is added: every step goes uphill. Subtract it.",
    lambda x, y, w, rate, steps: w - rate * steps * squared_error_slope(x, y, w),
    "All steps use the gradient at the start. Compute it again after each step.",
    lambda x, y, w, rate, steps: _descend(x, y, w, rate, min(steps, 1)),
    "This is the result of a single step, for any number of steps. Each step must start where the "
    "last one ended.",
    lambda x, y, w, rate, steps: _descend(x, y, w, rate * len(y), steps),
    "The gradient is that of the sum of the squares. The loss is their mean.",
)


def _by_autograd(x: Tensor, y: Tensor, w: Tensor, rate: float, steps: int) -> Tensor:
    w = w.clone().requires_grad_()
    for _ in range(steps):
        (slope,) = torch.autograd.grad((x @ w - y).square().mean(), w)
        w = (w - rate * slope).detach().requires_grad_()
    return w.detach()


def _by_optimizer(x: Tensor, y: Tensor, w: Tensor, rate: float, steps: int) -> Tensor:
    weights = w.clone().requires_grad_()
    optimizer = torch.optim.SGD([weights], lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        (x @ weights - y).square().mean().backward()
        optimizer.step()
    return weights.detach()


def _draw(draw: Draw) -> Inputs:
    n, d = draw.size(), draw.size(high=3)
    rate, steps = draw.choice(0.001, 0.01, 0.02), draw.size(0, 5)
    return draw.normal(n, d), draw.normal(n), draw.normal(d), rate, steps


descend = Exercise(
    name="what_a_transformer_does.descend",
    reference=_descend,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_autograd, _by_optimizer),
    draw=_draw,
    hint_texts=(
        "The first step is right. Print w.grad in each round: what does it have to do with the "
        "round before?",
        "backward adds. Something has to empty w.grad before each backward.",
        "Write w.grad = None as the first line of the loop.",
    ),
    starter='''\
def descend(x, y, w, rate, steps):
    """Weights after steps of gradient descent on a mean squared error."""
    w = w.clone().requires_grad_()
    for _ in range(steps):
        loss = (x @ w - y).square().mean()
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
    return w.detach()
''',
)
