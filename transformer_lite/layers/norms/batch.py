"""Batch normalization: every feature by its mean and variance over all tokens of the batch."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_boolean, check_number, check_size, check_tensor
from transformer_lite.layers.norms.affine import check_affine, scale_and_shift


def batch_norm(
    x: Float[Tensor, "*B D"], mask: Bool[Tensor, "*B"] | None = None, eps: float = 1e-5
) -> Float[Tensor, "*B D"]:
    """Normalize every feature by its own mean and variance over the batch.

    y = (x − μ_d) / √(σ_d² + ε), with μ_d and σ_d² over all tokens of the batch

    Args:
        x: shape (..., D).
        mask: boolean of shape (...), True = a real token; the others do not count in the
            statistics. None counts every token.
        eps: ε, added to the variance inside the root, at least 0.

    Returns:
        Tensor of shape (..., D). Masked tokens are transformed like the others.

    Raises:
        TypeError: `x` is not a float tensor, `mask` not boolean, or `eps` is not a number.
        ValueError: `mask` does not have the shape of the tokens or allows none, `eps` is negative.

    Reference: Ioffe and Szegedy 2015, algorithm 1, without the learned gain and shift.

    >>> batch_norm(torch.tensor([[1.0, 8.0], [3.0, 4.0]]), eps=0.0).tolist()
    [[-1.0, 1.0], [1.0, -1.0]]
    """
    check_number("eps", eps)
    tokens = _real_tokens(x, mask)
    if len(tokens) == 0:
        raise ValueError(f"x must hold at least one real token, got shape {tuple(x.shape)}")
    variance, mean = torch.var_mean(tokens, dim=0, correction=0)
    return (x - mean) / torch.sqrt(variance + eps)


class BatchNorm(nn.Module):
    """Batch normalization with a learned gain γ (`weight`) and shift β (`bias`).

    In training, mean and variance come from the batch, and running averages follow them. In
    evaluation the running averages are used, so a sentence does not depend on the others of its
    batch: running ← (1 − momentum) · running + momentum · batch.

    Args:
        d_model: the width D of a token.
        eps: ε, added to the variance inside the root, at least 0.
        momentum: the weight of the newest batch in the running averages, 0 ≤ momentum ≤ 1.

    Raises:
        TypeError: `d_model` is not an int, or `eps` or `momentum` not a number.
        ValueError: `d_model` is smaller than 1, or `eps` or `momentum` out of range.

    Reference: Ioffe and Szegedy 2015, algorithms 1 and 2, with the moving averages of section
    3.1. As there, the running variance is a sample variance (divided by n − 1).

    >>> BatchNorm(2, eps=0.0)(torch.tensor([[1.0, 8.0], [3.0, 4.0]])).tolist()
    [[-1.0, 1.0], [1.0, -1.0]]
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, d_model: int, eps: float = 1e-5, momentum: float = 0.1):
        super().__init__()
        check_size("d_model", d_model)
        check_number("eps", eps)
        check_number("momentum", momentum)
        if momentum > 1:
            raise ValueError(f"momentum must be at most 1, got {momentum}")
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.register_buffer("running_mean", torch.zeros(d_model))
        self.register_buffer("running_var", torch.ones(d_model))

    def forward(
        self, x: Float[Tensor, "*B D"], mask: Bool[Tensor, "*B"] | None = None
    ) -> Float[Tensor, "*B D"]:
        """Normalize every feature of `x`.

        Args:
            x: shape (..., D).
            mask: boolean of shape (...), True = a real token; the others do not count in the
                statistics, but are transformed like the others. None counts every token.

        Returns:
            Tensor of shape (..., D).

        Raises:
            TypeError: `x` is not a float tensor of the weights' dtype, or `mask` not boolean.
            ValueError: shapes do not fit, or fewer than 2 real tokens come in training.
        """
        tokens = _real_tokens(x, mask)
        check_affine(x, self.weight, self.bias, self.eps)
        mean, variance = self.running_mean, self.running_var
        if self.training:
            mean, variance = self._batch_statistics(tokens)
        normalized = (x - mean) / torch.sqrt(variance + self.eps)
        return scale_and_shift(normalized, self.weight, self.bias)

    def _batch_statistics(
        self, tokens: Float[Tensor, "N D"]
    ) -> tuple[Float[Tensor, " D"], Float[Tensor, " D"]]:
        """Return mean and variance of every feature, and update the running averages."""
        n = len(tokens)
        if n < 2:
            raise ValueError(f"x must hold at least 2 real tokens in training, got {n}")
        variance, mean = torch.var_mean(tokens, dim=0, correction=0)
        with torch.no_grad():
            self.running_mean += self.momentum * (mean - self.running_mean)
            self.running_var += self.momentum * (variance * n / (n - 1) - self.running_var)
        return mean, variance


def _real_tokens(x: Float[Tensor, "*B D"], mask: Bool[Tensor, "*B"] | None) -> Float[Tensor, "N D"]:
    """Return the tokens that count, one per row, or raise if `x` and `mask` do not fit."""
    check_tensor("x", x, min_rank=2)
    if mask is None:
        return x.flatten(end_dim=-2)
    check_boolean("mask", mask)
    if mask.shape != x.shape[:-1]:
        raise ValueError(
            f"mask must have the shape of the tokens {tuple(x.shape[:-1])}, got {tuple(mask.shape)}"
        )
    return x[mask]
