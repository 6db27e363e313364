"""Propagate a gradient back through a stack of residual layers."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from lessons.kit.exercises import (
    NO_AUTOGRAD,
    Case,
    Draw,
    Exercise,
    Inputs,
    mistakes,
    normal_numbers,
)
from lessons.kit.exercises.outcome import TensorFunction

_normal = normal_numbers("residual_connections.walk_back")


def _walk_back(weights: Tensor, gradient: Tensor) -> Tensor:
    found = [gradient]
    for weight in reversed(weights):
        found.append(found[-1] + weight @ found[-1])
    return torch.stack(found[::-1])


def _cases() -> tuple[Case, ...]:
    def draw(name: str, layers: int, d: int, dtype: torch.dtype = torch.float32) -> Case:
        weights = 0.5 * _normal(layers, d, d, dtype=dtype)
        return Case(name, {"weights": weights, "gradient": _normal(d, dtype=dtype)})

    slopes = torch.diag(torch.tensor([0.1, -0.5])).expand(3, 2, 2).contiguous()
    return (
        Case(
            "three layers with the slopes 0.1 and −0.5",
            {"weights": slopes, "gradient": torch.ones(2)},
        ),
        draw("L=2, D=3", 2, 3),
        draw("L=5, D=4", 5, 4),
        draw("float64, L=6, D=2", 6, 2, torch.float64),
        draw("one feature, L=3, D=1", 3, 1),
        draw("one layer, L=1, D=3", 1, 3),
    )


def _walk(
    step: TensorFunction, order: Callable[[Tensor], Iterable[Tensor]] = reversed
) -> TensorFunction:
    """Return a walk through the layers in this order with step(gradient, weight, first)."""

    def function(weights: Tensor, gradient: Tensor) -> Tensor:
        found = [gradient]
        for weight in order(weights):
            found.append(step(found[-1], weight, gradient))
        return torch.stack(found[::-1])

    return function


_MISTAKES = mistakes(
    _walk(lambda g, w, first: w @ g),
    "The skip connection is missing: each step keeps only the gradient through the layer. In x + x "
    "W the gradient takes both paths.",
    _walk(lambda g, w, first: g + g @ w),
    "The gradient goes through W in the forward direction. Backwards a row times W becomes a "
    "row times Wᵀ, which is W times the column.",
    _walk(lambda g, w, first: (1 + w) @ g),
    "1 + W adds 1 to every entry of W. The skip connection adds the gradient itself: add 1 on the "
    "diagonal only, or compute gradient + weight @ gradient.",
    _walk(lambda g, w, first: g + w @ g, order=list),
    "You start with the first layer. Start at the output, with the last layer.",
    lambda ws, g: _walk_back(ws, g).flip(0),
    "The rows are in the order in which you computed them. Row 0 should be the gradient at the "
    "input, the last row that at the output.",
    _walk(lambda g, w, first: first + w @ g),
    "Each step adds the gradient at the output of the stack. A skip connection spans only its own "
    "layer: add the gradient from the previous step.",
)


def _walk_by_products(weights: Tensor, gradient: Tensor) -> Tensor:
    steps = [torch.eye(len(gradient), dtype=gradient.dtype) + w for w in weights]
    rows = [gradient]
    for step in steps[::-1]:
        rows.insert(0, step @ rows[0])
    return torch.stack(rows)


def _walk_by_recursion(weights: Tensor, gradient: Tensor) -> Tensor:
    if len(weights) == 0:
        return gradient[None]
    later = _walk_by_recursion(weights[1:], gradient)
    return torch.cat([(later[0] + later[0] @ weights[0].mT)[None], later])


def _draw(draw: Draw) -> Inputs:
    layers, d = draw.size(1, 5), draw.size()
    return draw.normal(layers, d, d, size=0.5), draw.normal(d)


walk_back = Exercise(
    name="residual_connections.walk_back",
    reference=_walk_back,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_walk_by_products, _walk_by_recursion),
    draw=_draw,
    hint_texts=(
        "One layer, one feature: y = x + w x. If the loss rises by g when y grows by 1, by how "
        "much does it rise when x grows by 1?",
        "Start with the gradient at the output. Go through the layers from the last to the first; "
        "in each step add the gradient through the layer and the gradient through the skip "
        "connection.",
        "found = [gradient]; then for weight in reversed(weights): "
        "found.append(found[-1] + weight @ found[-1]). At the end reverse the list and stack it.",
    ),
    starter='''\
def walk_back(weights, gradient):
    """Gradients of a stack of layers y = x + x W, at every depth.

    weights (L, D, D), gradient (D,) at the output -> (L + 1, D)
    """
    raise NotImplementedError
''',
    properties=(NO_AUTOGRAD,),
)
