"""Layers for the exercise equivariance_gap. Each takes tokens (T, D) and returns (T, D)."""

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.masks import look_ahead_mask


def attention(x: Tensor) -> Tensor:
    """Let every token attend to every token."""
    return attention_steps(x, x, x).output


def causal_attention(x: Tensor) -> Tensor:
    """Let every token attend to itself and to the tokens before it."""
    return attention_steps(x, x, x, look_ahead_mask(len(x))).output


def add_positions(x: Tensor) -> Tensor:
    """Add its position to every token."""
    return x + torch.arange(len(x), dtype=x.dtype)[:, None]


def mean_of_all(x: Tensor) -> Tensor:
    """Replace every token by the mean of all."""
    return x.mean(dim=0).expand_as(x)


def sorted_features(x: Tensor) -> Tensor:
    """Sort every feature in ascending order."""
    return x.sort(dim=0).values


def mix_with_the_next(x: Tensor) -> Tensor:
    """Add half of the next token to every token: a convolution of width 2."""
    return x + torch.cat([x[1:], torch.zeros_like(x[:1])]) / 2


def unscaled_attention(x: Tensor) -> Tensor:
    """Let every token attend to every token, with unscaled dot products."""
    return torch.softmax(x @ x.mT, dim=-1) @ x


def sums_so_far(x: Tensor) -> Tensor:
    """Return the cumulative sums of the tokens."""
    return x.cumsum(dim=0)


def weighted_by_place(x: Tensor) -> Tensor:
    """Multiply every token by its position, and subtract the mean of all numbers."""
    return x * torch.arange(len(x), dtype=x.dtype)[:, None] - x.mean()


def mirror(x: Tensor) -> Tensor:
    """Subtract the tokens from the tokens in reverse order."""
    return x.flip(0) - x


#: The layers by name. A case in JSON refers to a layer by its name.
LAYERS: dict[str, Callable[[Tensor], Tensor]] = {
    layer.__name__: layer
    for layer in (
        *(attention, causal_attention, add_positions, mean_of_all, sorted_features),
        *(mix_with_the_next, unscaled_attention, sums_so_far, weighted_by_place, mirror),
    )
}
