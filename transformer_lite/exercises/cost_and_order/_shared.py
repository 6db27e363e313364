"""Layers for equivariance_gap: each takes tokens (T, D) and returns as many rows."""

import torch
from torch import Tensor

from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.masks import look_ahead_mask


def attention(x: Tensor) -> Tensor:
    """Every token attends to every token."""
    return attention_steps(x, x, x).output


def causal_attention(x: Tensor) -> Tensor:
    """Every token attends to itself and to those before it."""
    return attention_steps(x, x, x, look_ahead_mask(len(x))).output


def add_positions(x: Tensor) -> Tensor:
    """Add its place to every token."""
    return x + torch.arange(len(x), dtype=x.dtype)[:, None]


def mean_of_all(x: Tensor) -> Tensor:
    """Give every token the mean of all."""
    return x.mean(dim=0).expand_as(x)


def sorted_features(x: Tensor) -> Tensor:
    """Sort every feature, the smallest first."""
    return x.sort(dim=0).values


def mix_with_the_next(x: Tensor) -> Tensor:
    """Add to every token half of the one after it, a convolution of width 2."""
    return x + torch.cat([x[1:], torch.zeros_like(x[:1])]) / 2
