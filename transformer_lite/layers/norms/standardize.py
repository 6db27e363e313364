"""Scale features before the first layer: z-scores and min–max scaling."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_number, check_tensor


def standardize(
    x: Float[Tensor, "*B"], dim: int = -1, eps: float = 0.0, unbiased: bool = False
) -> Float[Tensor, "*B"]:
    """Turn the numbers along one axis into z-scores: z = (x − μ) / √(σ² + ε).

    Args:
        x: any shape with at least one axis.
        dim: the axis whose numbers share a mean μ and a variance σ².
        eps: ε, added to the variance, at least 0. With ε = 0 a constant row gives NaN.
        unbiased: divide by n − 1 (sample variance) instead of n (population variance).

    Returns:
        Tensor of the shape of `x`.

    Raises:
        TypeError: `x` is not a float tensor, `dim` is not an int or `eps` is not a number.
        ValueError: `eps` is negative, or the axis holds too few numbers for the variance.
        IndexError: `dim` is not an axis of `x`.

    >>> standardize(torch.tensor([10.0, 12, 14, 16]))
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """
    check_number("eps", eps)
    correction = int(unbiased)
    _check_axis(x, dim, more_than=correction)
    variance, mean = torch.var_mean(x, dim=dim, correction=correction, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps)


def min_max(x: Float[Tensor, "*B"], dim: int = -1) -> Float[Tensor, "*B"]:
    """Map the smallest number along one axis to 0 and the largest to 1.

    y = (x − min) / (max − min)

    Args:
        x: any shape with at least one axis.
        dim: the axis whose numbers share a minimum and a maximum.

    Returns:
        Tensor of the shape of `x`, between 0 and 1. A constant row gives NaN.

    Raises:
        TypeError: `x` is not a float tensor or `dim` is not an int.
        ValueError: the axis is empty.
        IndexError: `dim` is not an axis of `x`.

    >>> min_max(torch.tensor([15.0, 12, 10]))
    tensor([1.0000, 0.4000, 0.0000])
    """
    _check_axis(x, dim, more_than=0)
    low, high = x.amin(dim, keepdim=True), x.amax(dim, keepdim=True)
    return (x - low) / (high - low)


def _check_axis(x: Tensor, dim: object, more_than: int) -> None:
    check_tensor("x", x)
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise TypeError(f"dim must be an int, got {type(dim).__name__}: {dim!r:.60}")
    if x.size(dim) <= more_than:
        raise ValueError(
            f"x must hold more than {more_than} numbers along axis {dim}, "
            f"got shape {tuple(x.shape)}"
        )
