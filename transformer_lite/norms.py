"""Normalization: give numbers a mean of 0 and a variance of 1, along one axis or another.

All statistics are population statistics (divide by n) unless a name says otherwise. The gain γ
is called `weight` and the shift β `bias`, as in PyTorch.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite._checks import (
    check_boolean,
    check_number,
    check_same,
    check_size,
    check_tensor,
)


class LayerNormSteps(NamedTuple):
    """Every intermediate of one layer normalization, in the order in which it is computed."""

    mean: Float[Tensor, "*B 1"]
    centered: Float[Tensor, "*B D"]
    variance: Float[Tensor, "*B 1"]
    std: Float[Tensor, "*B 1"]
    normalized: Float[Tensor, "*B D"]
    output: Float[Tensor, "*B D"]


def standardize(
    x: Float[Tensor, "..."], dim: int = -1, eps: float = 0.0, unbiased: bool = False
) -> Float[Tensor, "..."]:
    """Turn the numbers along one axis into z-scores: z = (x − μ) / √(σ² + ε).

    Args:
        x: any shape with at least one axis.
        dim: the axis whose numbers share a mean μ and a variance σ².
        eps: ε, added to the variance, at least 0. With ε = 0 a constant row gives NaN.
        unbiased: divide by n − 1 (sample variance) in place of n (population variance).

    Returns:
        Tensor of the shape of `x`.

    Raises:
        TypeError: `x` is no float tensor or `eps` no number.
        ValueError: `eps` is negative, or the axis holds too few numbers for the variance.
        IndexError: `dim` is not an axis of `x`.

    >>> standardize(torch.tensor([10.0, 12, 14, 16]))
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """
    check_tensor("x", x)
    check_number("eps", eps)
    correction = int(unbiased)
    if x.size(dim) <= correction:
        raise ValueError(
            f"x must hold more than {correction} numbers along axis {dim}, "
            f"got shape {tuple(x.shape)}"
        )
    variance, mean = torch.var_mean(x, dim=dim, correction=correction, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps)


def layer_norm_steps(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> LayerNormSteps:
    """Layer normalization with every intermediate kept.

    y = γ · (x − μ) / √(σ² + ε) + β, with μ and σ² over the last axis of each token

    Args:
        x: shape (..., D).
        weight: γ of shape (D,); None means ones.
        bias: β of shape (D,); None means zeros.
        eps: ε, added to the variance inside the root, at least 0.

    Returns:
        :class:`LayerNormSteps`; `std` is √(σ² + ε).

    Raises:
        TypeError: an input is no float tensor, dtypes differ, or `eps` is no number.
        ValueError: `weight` or `bias` is not of shape (D,), or `eps` is negative.

    Reference: Ba, Kiros and Hinton 2016, section 3. Differs from the paper: ε, which the paper
    leaves out and every implementation adds.

    >>> layer_norm_steps(torch.tensor([2.0, 4, 6, 8])).variance
    tensor([5.])
    """
    _check_layer_norm(x, weight, bias, eps)
    mean = x.mean(dim=-1, keepdim=True)
    centered = x - mean
    variance = centered.square().mean(dim=-1, keepdim=True)
    std = torch.sqrt(variance + eps)
    normalized = centered / std
    output = normalized if weight is None else normalized * weight
    output = output if bias is None else output + bias
    return LayerNormSteps(mean, centered, variance, std, normalized, output)


def layer_norm(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> Float[Tensor, "*B D"]:
    """The output of :func:`layer_norm_steps` from PyTorch's fused kernel, without the steps.

    Args, Raises and Reference are those of :func:`layer_norm_steps`.

    Returns:
        Tensor of shape (..., D).

    >>> layer_norm(torch.tensor([2.0, 4, 6, 8]))
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """
    _check_layer_norm(x, weight, bias, eps)
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


def batch_norm(
    x: Float[Tensor, "*B D"], mask: Bool[Tensor, "*B"] | None = None, eps: float = 1e-5
) -> Float[Tensor, "*B D"]:
    """Batch normalization of one batch: every feature by its own mean and variance.

    y = (x − μ_d) / √(σ_d² + ε), with μ_d and σ_d² over all tokens of the batch

    Args:
        x: shape (..., D).
        mask: boolean of shape (...), True = a real token; the others do not count in the
            statistics. None counts every token.
        eps: ε, added to the variance inside the root, at least 0.

    Returns:
        Tensor of shape (..., D). Masked tokens are transformed like the others.

    Raises:
        TypeError: `x` is no float tensor, `mask` not boolean, or `eps` no number.
        ValueError: `mask` does not have the shape of the tokens or allows none, `eps` is negative.

    Reference: Ioffe and Szegedy 2015, algorithm 1, without the learned gain and shift.

    >>> batch_norm(torch.tensor([[1.0, 8.0], [3.0, 4.0]]), eps=0.0).tolist()
    [[-1.0, 1.0], [1.0, -1.0]]
    """
    check_tensor("x", x, min_rank=2)
    check_number("eps", eps)
    tokens = x.flatten(end_dim=-2)
    if mask is not None:
        check_boolean("mask", mask)
        if mask.shape != x.shape[:-1]:
            raise ValueError(
                f"mask must have the shape of the tokens {tuple(x.shape[:-1])}, "
                f"got {tuple(mask.shape)}"
            )
        tokens = x[mask]
    if len(tokens) == 0:
        raise ValueError(f"x must hold at least one real token, got shape {tuple(x.shape)}")
    variance, mean = torch.var_mean(tokens, dim=0, correction=0)
    return (x - mean) / torch.sqrt(variance + eps)


class LayerNorm(nn.Module):
    """Layer normalization with a learned gain γ (`weight`) and shift β (`bias`).

    Args:
        d_model: the width D of a token.
        eps: ε, added to the variance inside the root, at least 0.

    Raises:
        TypeError: `d_model` is not an int or `eps` is not a number.
        ValueError: `d_model` is smaller than 1 or `eps` is negative.

    Reference: Ba, Kiros and Hinton 2016, section 3.

    >>> LayerNorm(4)(torch.tensor([2.0, 4, 6, 8])).detach()
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        check_size("d_model", d_model)
        check_number("eps", eps)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize every token of `x`, shape (..., D); errors as in :func:`layer_norm`."""
        return layer_norm(x, self.weight, self.bias, self.eps)


def _check_layer_norm(x, weight, bias, eps) -> None:
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
