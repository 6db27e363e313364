"""Functions that exercises take as inputs: layers of tokens (T, D), and layer norms with a slip."""

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


#: The layers by name.
LAYERS: dict[str, Callable[[Tensor], Tensor]] = {
    layer.__name__: layer
    for layer in (
        *(attention, causal_attention, add_positions, mean_of_all, sorted_features),
        *(mix_with_the_next, unscaled_attention, sums_so_far, weighted_by_place, mirror),
    )
}


Norm = Callable[[Tensor, Tensor, Tensor], Tensor]


def _norm(slip: str) -> Norm:
    """Return layer normalization of (x, weight, bias) with ε = 1e-5 and one slip, or none."""

    def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        eps = 1e-5
        if slip == "norm_of_a_line":
            x = torch.arange(x.shape[-1]).to(x).expand_as(x)
        dim: int | tuple[int, ...] = -1
        if slip == "norm_along_the_first_axis":
            dim = 0
        elif slip == "norm_over_all_tokens":
            dim = tuple(range(x.dim()))
        mean = x.mean(dim, keepdim=True)
        variance = (x - mean).square().mean(dim, keepdim=True)
        if slip == "norm_by_n_minus_1":
            variance = x.var(dim, keepdim=True, correction=1)
        root = torch.sqrt(variance + (0 if slip == "norm_without_epsilon" else eps))
        if slip == "norm_with_epsilon_outside":
            root = variance.sqrt() + eps
        y = (x if slip == "norm_without_mean" else x - mean) / root
        return (y if slip == "norm_without_gain" else weight * y) + bias

    norm.__name__ = slip
    return norm


#: Layer normalization, and eight functions that are not quite it, by name.
NORMS: dict[str, Norm] = {
    slip: _norm(slip)
    for slip in (
        *("norm_without_slip", "norm_of_a_line", "norm_by_n_minus_1", "norm_without_mean"),
        *("norm_with_epsilon_outside", "norm_without_epsilon", "norm_along_the_first_axis"),
        *("norm_over_all_tokens", "norm_without_gain"),
    )
}


def _stretched(percent: int) -> Norm:
    """Return layer normalization whose result is `percent` of what it should be."""

    def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return NORMS["norm_without_slip"](x, weight, bias) * percent / 100

    norm.__name__ = f"norm_times_{percent}_percent"
    return norm


#: Functions that a grader draws, by name: none of them is layer normalization.
STRETCHED: dict[str, Norm] = {
    norm.__name__: norm for norm in map(_stretched, (*range(40, 80), *range(120, 180)))
}

#: Everything that a case in JSON can refer to by its name.
FUNCTIONS: dict[str, Callable[..., Tensor]] = {**LAYERS, **NORMS, **STRETCHED}
