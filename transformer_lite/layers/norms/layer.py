"""Layer normalization: every token by its own mean and variance, first as steps, then fused."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size, fits
from transformer_lite.layers.norms.affine import check_affine, scale_and_shift


class LayerNormSteps(NamedTuple):
    """Every intermediate of one layer normalization, in the order in which it is computed."""

    mean: Float[Tensor, "*B 1"]
    centered: Float[Tensor, "*B D"]
    variance: Float[Tensor, "*B 1"]
    std: Float[Tensor, "*B 1"]
    normalized: Float[Tensor, "*B D"]
    output: Float[Tensor, "*B D"]


def layer_norm_steps(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> LayerNormSteps:
    """Compute layer normalization and return every intermediate.

    y = γ · (x − μ) / √(σ² + ε) + β, with μ and σ² over the last axis of each token

    Args:
        x: shape (..., D).
        weight: γ of shape (D,); None means ones.
        bias: β of shape (D,); None means zeros.
        eps: ε, added to the variance inside the root, at least 0.

    Returns:
        :class:`LayerNormSteps`; `std` is √(σ² + ε).

    Raises:
        TypeError: an input is not a float tensor, dtypes differ, or `eps` is not a number.
        ValueError: `weight` or `bias` is not of shape (D,), D is 0, or `eps` is negative.

    Reference: Ba, Kiros and Hinton 2016, section 3. Differs from the paper: ε, which the paper
    leaves out and every implementation adds.

    >>> layer_norm_steps(torch.tensor([2.0, 4, 6, 8])).variance
    tensor([5.])
    """
    check_affine(x, weight, bias, eps)
    mean = x.mean(dim=-1, keepdim=True)
    centered = x - mean
    variance = centered.square().mean(dim=-1, keepdim=True)
    std = torch.sqrt(variance + eps)
    normalized = centered / std
    output = scale_and_shift(normalized, weight, bias)
    return LayerNormSteps(mean, centered, variance, std, normalized, output)


def layer_norm(
    x: Float[Tensor, "*B D"],
    weight: Float[Tensor, " D"] | None = None,
    bias: Float[Tensor, " D"] | None = None,
    eps: float = 1e-5,
) -> Float[Tensor, "*B D"]:
    """Return the output of :func:`layer_norm_steps`, from PyTorch's fused kernel.

    Args, Raises and Reference are those of :func:`layer_norm_steps`.

    Returns:
        Tensor of shape (..., D).

    >>> layer_norm(torch.tensor([2.0, 4, 6, 8]))
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """
    check_affine(x, weight, bias, eps)
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


class LayerNorm(nn.Module):
    """Layer normalization with a learned gain γ (`weight`) and shift β (`bias`).

    Args:
        d_model: the width D of a token.
        eps: ε, added to the variance inside the root, at least 0.
        bias: whether there is a shift.

    Raises:
        TypeError: `d_model` is not an int or `eps` is not a number.
        ValueError: `d_model` is smaller than 1 or `eps` is negative.

    Reference: Ba, Kiros and Hinton 2016, section 3.

    >>> LayerNorm(4)(torch.tensor([2.0, 4, 6, 8])).detach()
    tensor([-1.3416, -0.4472,  0.4472,  1.3416])
    """

    bias: Tensor | None

    def __init__(self, d_model: int, eps: float = 1e-5, bias: bool = True):
        super().__init__()
        check_size("d_model", d_model)
        check_number("eps", eps)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.register_parameter("bias", nn.Parameter(torch.zeros(d_model)) if bias else None)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize every token of `x`, shape (..., D); errors as in :func:`layer_norm`."""
        if not fits(x, self.weight):
            return layer_norm(x, self.weight, self.bias, self.eps)
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
