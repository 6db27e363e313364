"""LoRA: learn a low-rank change of a large matrix, and merge it at the end."""

from __future__ import annotations

import copy

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size, check_tokens


class LowRank(nn.Module):
    """A frozen linear layer and a trainable change of rank r.

    y = W x + b + (α/r) B A x, with A drawn at random and B zero at the start

    At the start the output is unchanged. The D·E numbers of W are frozen; only the r·(D + E)
    numbers of A and B are trained.

    Args:
        linear: the layer with W and b. It is frozen.
        rank: r, the number of rows of A, at least 1.
        alpha: α, how much of the change is added, greater than 0.

    Attributes:
        base: the frozen layer.
        down: A, shape (r, D).
        up: B, shape (E, r).
        scale: α/r.

    Raises:
        TypeError: `linear` is not a ``torch.nn.Linear``, `rank` is not an int or `alpha` is not a
            number.
        ValueError: `rank` is below 1, or `alpha` is not greater than 0.

    Reference: Hu et al. 2022, section 4.1.

    >>> layer = LowRank(nn.Linear(6, 4), rank=2, alpha=8.0)
    >>> layer(torch.ones(3, 6)).shape, layer.scale
    (torch.Size([3, 4]), 4.0)
    """

    def __init__(self, linear: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        if not isinstance(linear, nn.Linear):
            raise TypeError(f"linear must be a torch.nn.Linear, got {type(linear).__name__}")
        check_size("rank", rank)
        check_number("alpha", alpha)
        if alpha == 0:
            raise ValueError(f"alpha must be greater than 0, got {alpha}")
        weight = linear.weight
        self.base = linear.requires_grad_(False)
        self.down = nn.Parameter(weight.new_empty(rank, linear.in_features))
        self.up = nn.Parameter(weight.new_zeros(linear.out_features, rank))
        nn.init.normal_(self.down, std=linear.in_features**-0.5)
        self.scale = alpha / rank

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B E"]:
        """Return the output of the frozen layer plus the change, for tokens of shape (..., D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not as wide as the layer's input.
        """
        check_tokens(x, weights=self.down)
        return self.base(x) + self.scale * F.linear(F.linear(x, self.down), self.up)

    @torch.no_grad()
    def merge(self) -> nn.Linear:
        """Return a new linear layer with the weights W + (α/r) B A, which has no extra cost.

        This layer does not change: merging it twice gives the same weights twice. A weight that
        `W` shared with another part of the model is copied, so it is no longer shared.
        """
        merged = copy.deepcopy(self.base)
        merged.weight += self.scale * self.up @ self.down
        return merged.requires_grad_(True)
