"""Compute the backward pass of layer normalization without autograd."""

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
from transformer_lite.layers.norms.layer import layer_norm_steps

_normal = normal_numbers("layer_norm.layer_norm_backward")


def _mean(x: Tensor) -> Tensor:
    return x.mean(dim=-1, keepdim=True)


def _backward(x: Tensor, arriving: Tensor, eps: float) -> Tensor:
    steps = layer_norm_steps(x, eps=eps)
    along = _mean(arriving * steps.normalized)
    return (arriving - _mean(arriving) - along * steps.normalized) / steps.std


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str, *shape: int, size: float = 1.0, eps: float = 1e-5, dtype: torch.dtype
    ) -> Case:
        x = size * _normal(*shape, dtype=dtype) + 1
        return Case(name, {"x": x, "arriving": _normal(*shape, dtype=dtype), "eps": eps})

    cat, first = torch.tensor([[2.0, 4, 6, 8]]), torch.tensor([[1.0, 0, 0, 0]])
    single, double = torch.float32, torch.float64
    return (
        Case(
            "[2, 4, 6, 8], and a gradient at its first entry",
            {"x": cat, "arriving": first, "eps": 0.0},
        ),
        draw("three tokens, T=3, D=5", 3, 5, dtype=single),
        draw("large tokens, T=2, D=6", 2, 6, size=40.0, dtype=single),
        draw("ε=0.3 in float64, T=4, D=3", 4, 3, eps=0.3, dtype=double),
        draw("small tokens in float64, T=3, D=4", 3, 4, size=0.01, dtype=double),
        draw("one token with one feature, T=1, D=1", 1, 1, dtype=single),
    )


def _by(without: str) -> object:
    """Return a backward pass with one part wrong."""

    def function(x: Tensor, arriving: Tensor, eps: float) -> Tensor:
        steps = layer_norm_steps(x, eps=eps)
        y, std = steps.normalized, steps.std
        along = _mean(arriving * y) * y
        if without == "mean":
            return (arriving - along) / std
        if without == "along":
            return (arriving - _mean(arriving)) / std
        if without == "division":
            return arriving - _mean(arriving) - along
        if without == "sum":
            return (arriving - _mean(arriving) - (arriving * y).sum(-1, keepdim=True) * y) / std
        if without == "token":
            return (arriving - _mean(arriving) - _mean(arriving * x) * y) / std
        if without == "variance":
            return (arriving - _mean(arriving) - along) / std.square()
        if without == "axis":
            return (arriving - arriving.mean() - (arriving * y).mean() * y) / std
        return arriving / std

    return function


_MISTAKES = mistakes(
    _by("mean"),
    "You did not subtract the mean of the gradient. Adding the same number to all entries of a "
    "token changes nothing, so the entries of the result must sum to 0.",
    _by("along"),
    "You did not subtract the part of the gradient along the token. Scaling the centered token "
    "changes nothing, so subtract that part too.",
    _by("everything"),
    "You only divide. Also subtract the mean of the gradient and its part along the token.",
    _by("division"),
    "The division is missing. A token with twice the spread must change twice as much for the same "
    "effect: divide by √(σ² + ε).",
    _by("variance"),
    "You divided by σ² + ε. Divide by its square root.",
    _by("sum"),
    "You summed the products. The squares of a normalized token sum to n, so take the mean of the "
    "products.",
    _by("token"),
    "The products use the raw token. Use the normalized token.",
    _by("axis"),
    "You take the means over all tokens. Each token has its own: dim=-1, keepdim=True.",
)


def _by_jacobian(x: Tensor, arriving: Tensor, eps: float) -> Tensor:
    steps = layer_norm_steps(x, eps=eps)
    n, y = x.shape[-1], steps.normalized
    projection = torch.eye(n, dtype=x.dtype) - 1 / n - y[..., :, None] * y[..., None, :] / n
    return torch.einsum("...i,...ij->...j", arriving, projection) / steps.std


def _token_by_token(x: Tensor, arriving: Tensor, eps: float) -> Tensor:
    rows = []
    for token, gradient in zip(x, arriving, strict=True):
        std = (token.var(correction=0) + eps).sqrt()
        y = (token - token.mean()) / std
        rows.append((gradient - gradient.mean() - (gradient @ y) / len(y) * y) / std)
    return torch.stack(rows)


def _draw(draw: Draw) -> Inputs:
    t, d = draw.size(1, 4), draw.size(3, 7)
    x = draw.normal(t, d, size=draw.choice(0.5, 3), shift=draw.choice(0, 2))
    return x, draw.normal(t, d), draw.choice(1e-5, 0.1)


layer_norm_backward = Exercise(
    name="layer_norm.layer_norm_backward",
    reference=_backward,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_jacobian, _token_by_token),
    draw=_draw,
    hint_texts=(
        "In which two directions can a token change without changing its normalized form? What "
        "must the gradient be in these directions?",
        "Normalize x. Subtract from `arriving` its mean over the features, and the mean of its "
        "products with the normalized token, times the normalized token. What is the divisor?",
        "along = (arriving * y).mean(dim=-1, keepdim=True), with y the normalized token. Return "
        "(arriving - arriving.mean(dim=-1, keepdim=True) - along * y) / std, where std is "
        "torch.sqrt(variance + eps).",
    ),
    starter='''\
def layer_norm_backward(x, arriving, eps):
    """The gradient at the tokens x (T, D), from `arriving` (T, D).

    `arriving` is the gradient at the normalized tokens, before γ and β.
    """
    raise NotImplementedError
''',
    properties=(NO_AUTOGRAD,),
)
