"""RMS normalization: every token by its root mean square, without subtracting the mean."""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size
from transformer_lite.layers.norms.affine import check_affine, scale_and_shift


class RMSNormSteps(NamedTuple):
    """Every intermediate of one RMS normalization, in the order in which it is computed."""

    mean_square: Float[Tensor, "*B 1"]
    rms: Float[Tensor, "*B 1"]
    normalized: Float[Tensor, "*B D"]
    output: Float[Tensor, "*B D"]


def rms_norm_steps(
    x: Float[Tensor, "*B D"], weight: Float[Tensor, " D"] | None = None, eps: float = 1e-5
) -> RMSNormSteps:
    """Compute RMS normalization and return every intermediate.

    y = γ · x / √(mean(x²) + ε), with the mean over the last axis of each token

    Args:
        x: shape (..., D).
        weight: γ of shape (D,); None means ones.
        eps: ε, added to the mean square inside the root, at least 0.

    Returns:
        :class:`RMSNormSteps`; `rms` is √(mean(x²) + ε).

    Raises:
        TypeError: an input is not a float tensor, dtypes differ, or `eps` is not a number.
        ValueError: `weight` is not of shape (D,), D is 0, or `eps` is negative.

    Reference: Zhang and Sennrich 2019, section 4. Differs from the paper: ε, which the paper
    leaves out and every implementation adds.

    >>> rms_norm_steps(torch.tensor([1.0, 7.0])).mean_square
    tensor([25.])
    """
    check_affine(x, weight, None, eps)
    mean_square = x.square().mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    normalized = x / rms
    return RMSNormSteps(mean_square, rms, normalized, scale_and_shift(normalized, weight, None))


def rms_norm(
    x: Float[Tensor, "*B D"], weight: Float[Tensor, " D"] | None = None, eps: float = 1e-5
) -> Float[Tensor, "*B D"]:
    """Return the output of :func:`rms_norm_steps`, from PyTorch's fused kernel.

    Args, Raises and Reference are those of :func:`rms_norm_steps`.

    Returns:
        Tensor of shape (..., D).

    >>> rms_norm(torch.tensor([1.0, 7.0]))
    tensor([0.2000, 1.4000])
    """
    check_affine(x, weight, None, eps)
    # Under autocast the dtypes may differ, but the fused kernel needs a single one.
    weight = None if weight is None else weight.to(x.dtype)
    return F.rms_norm(x, x.shape[-1:], weight, eps)


class RMSNorm(nn.Module):
    """RMS normalization with a learned gain γ (`weight`).

    Args:
        d_model: the width D of a token.
        eps: ε, added to the mean square inside the root, at least 0.

    Raises:
        TypeError: `d_model` is not an int or `eps` is not a number.
        ValueError: `d_model` is smaller than 1 or `eps` is negative.

    Reference: Zhang and Sennrich 2019, section 4.

    >>> RMSNorm(2)(torch.tensor([1.0, 7.0])).detach()
    tensor([0.2000, 1.4000])
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        check_size("d_model", d_model)
        check_number("eps", eps)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize every token of `x`, shape (..., D); errors as in :func:`rms_norm`."""
        return rms_norm(x, self.weight, self.eps)


class ZeroCenteredRMSNorm(RMSNorm):
    """RMS normalization with the gain 1 + w, computed in float32 at least: the norm of Gemma.

    y = (1 + w) · x / √(mean(x²) + ε). The learned `weight` w starts at 0, so weight decay pulls
    the gain toward 1 instead of toward 0.

    Args, Raises: as in :class:`RMSNorm`.

    Reference: the released code of Gemma (Gemma Team 2025).

    >>> ZeroCenteredRMSNorm(2)(torch.tensor([1.0, 7.0])).detach()
    tensor([0.2000, 1.4000])
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__(d_model, eps)
        nn.init.zeros_(self.weight)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normalize every token of `x`, shape (..., D); errors as in :func:`rms_norm`."""
        check_affine(x, self.weight, None, self.eps)
        precise = torch.promote_types(x.dtype, torch.float32)
        return rms_norm(x.to(precise), 1 + self.weight.to(precise), self.eps).to(x.dtype)
