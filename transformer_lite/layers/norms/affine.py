"""The gain γ and the shift β at the end of most normalizations."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_number, check_same, check_tensor


def check_affine(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None,
    bias: Float[Tensor, " D"] | None,
    eps: float,
) -> None:
    """Require tokens with at least one feature, γ and β with one number per feature, and ε ≥ 0."""
    check_tensor("x", x)
    check_number("eps", eps)
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is None:
            continue
        check_tensor(name, parameter)
        check_same(f"x and {name}", x=x, **{name: parameter})
        if parameter.shape != x.shape[-1:]:
            raise ValueError(
                f"{name} must have shape {tuple(x.shape[-1:])}, one number a feature, "
                f"got {tuple(parameter.shape)}"
            )
    if x.shape[-1] == 0:
        raise ValueError(f"x must hold at least one feature a token, got shape {tuple(x.shape)}")


def scale_and_shift(
    normalized: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None,
    bias: Float[Tensor, " D"] | None,
) -> Float[Tensor, "*B D"]:
    """Return γ · normalized + β, where None means ones and zeros."""
    scaled = normalized if weight is None else normalized * weight
    return scaled if bias is None else scaled + bias
