"""Share inputs, answers and a configurable norm between two exercises on layer normalization."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Inputs, normal_numbers
from lessons.kit.exercises.outcome import Function, TensorFunction
from transformer_lite.layers import norms


def layer_cases(exercise: str) -> tuple[Case, ...]:
    """Return the documents' vectors, and random tokens that belong to the exercise of this name."""
    normal = normal_numbers(exercise)

    def draw(
        name: str,
        *shape: int,
        size: float = 1.0,
        eps: float = 1e-5,
        dtype: torch.dtype = torch.float32,
    ) -> Case:
        return Case(name, with_parameters(size * normal(*shape, dtype=dtype), eps))

    def with_parameters(x: Tensor, eps: float) -> dict[str, Tensor | float]:
        weight, bias = (normal(x.shape[-1], dtype=x.dtype) for _ in range(2))
        return {"x": x, "weight": weight, "bias": bias, "eps": eps}

    worked = torch.tensor([2, 4, 6, 8], dtype=torch.float32)
    plain = {"x": worked, "weight": torch.ones_like(worked), "bias": torch.zeros_like(worked)}
    better = torch.tensor([2, -1, 3.5, -0.5, 4.2], dtype=torch.float32)
    constant = torch.stack([torch.ones(3), normal(3)])
    return (
        Case("[2, 4, 6, 8] with γ=1, β=0, ε=1e-5", {**plain, "eps": 1e-5}),
        Case("[2, -1, 3.5, -0.5, 4.2] with random γ and β", with_parameters(better, 1e-5)),
        draw("float64 and ε=0.25, B=2, T=3, D=5", 2, 3, 5, eps=0.25, dtype=torch.float64),
        draw("small numbers, T=3, D=6", 3, 6, size=0.01),
        Case("a constant row, T=2, D=3", with_parameters(constant, 1e-5)),
        draw("one token in a batch, B=1, T=1, D=4", 1, 1, 4),
        draw("one feature, T=3, D=1", 3, 1),
    )


def layer_by(mean_of: TensorFunction, std_of: TensorFunction) -> TensorFunction:
    """Return a layer norm with this mean of x and this standard deviation of (x, eps)."""

    def function(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        return weight * (x - mean_of(x)) / std_of(x, eps) + bias

    return function


def mean(x: Tensor) -> Tensor:
    """Return the mean of each token."""
    return x.mean(dim=-1, keepdim=True)


def variance(x: Tensor, correction: int = 0, dim: int = -1) -> Tensor:
    """Return the variance of each token."""
    return x.var(dim=dim, correction=correction, keepdim=True)


#: What goes wrong alike, whether layer normalization is written or repaired.
SLIPS: tuple[Function | str, ...] = (
    layer_by(mean, lambda x, eps: variance(x) + eps),
    "You divide by the variance. Take its square root first.",
    lambda x, weight, bias, eps: (norms.layer_norm(x, eps=eps) + bias) * weight,
    "You add β before multiplying by γ, so β is scaled as well. Multiply by γ first, then add β.",
    layer_by(lambda x: x.mean(dim=-1), lambda x, eps: torch.sqrt(variance(x) + eps)),
    "The mean has lost an axis, so it is not aligned with the tokens. Use keepdim=True.",
)

RIGHT_ANSWERS = (
    layer_by(mean, lambda x, eps: torch.sqrt((x - mean(x)).square().mean(-1, True) + eps)),
    lambda x, weight, bias, eps: torch.addcmul(bias, norms.standardize(x, eps=eps), weight),
)


def draw_layer(draw: Draw) -> Inputs:
    shape = [draw.size() for _ in range(draw.size(1, 3))]
    x = draw.normal(*shape, size=draw.choice(0.01, 1, 1))
    return x, draw.normal(shape[-1]), draw.normal(shape[-1]), draw.choice(1e-5, 1e-2, 0.3)
