"""Layers for equivariance_gap: each takes tokens (T, D) and returns as many rows."""

from collections.abc import Callable

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


def unscaled_attention(x: Tensor) -> Tensor:
    """Every token attends to every token, by dot products as they are."""
    return torch.softmax(x @ x.mT, dim=-1) @ x


def sums_so_far(x: Tensor) -> Tensor:
    """Add up all tokens from the first to each."""
    return x.cumsum(dim=0)


def weighted_by_place(x: Tensor) -> Tensor:
    """Multiply every token by its place, less the mean of all."""
    return x * torch.arange(len(x), dtype=x.dtype)[:, None] - x.mean()


def mirror(x: Tensor) -> Tensor:
    """Subtract every token from the one as far from the end."""
    return x.flip(0) - x


#: All of them by name: so a case that is only data names its layer.
LAYERS: dict[str, Callable[[Tensor], Tensor]] = {
    layer.__name__: layer
    for layer in (
        *(attention, causal_attention, add_positions, mean_of_all, sorted_features),
        *(mix_with_the_next, unscaled_attention, sums_so_far, weighted_by_place, mirror),
    )
}
