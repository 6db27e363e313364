"""The places in a Transformer where a position scheme may act."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn


class PositionScheme(nn.Module):
    """No positions at all. A scheme overrides the hook at which it acts.

    The model calls `embed` once, on the tokens; every self-attention calls `rotate` and `bias`.
    `start` is the position of the first token or query: not 0 when decoding with a cache.

    >>> import torch
    >>> PositionScheme().bias(torch.zeros(1, 2, 3, 4), key_length=3) is None
    True
    """

    def embed(self, x: Float[Tensor, "B T D"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Return the tokens, shape (B, T, D), with their positions in them."""
        return x

    def rotate(self, x: Float[Tensor, "B H T K"], start: int = 0) -> Float[Tensor, "B H T K"]:
        """Return queries or keys, shape (B, H, T, K), turned by their positions."""
        return x

    def bias(
        self, query: Float[Tensor, "B H T K"], key_length: int, start: int = 0
    ) -> Float[Tensor, "*#b #H #T {key_length}"] | None:
        """Return what to add to the scaled scores, broadcastable to (B, H, T, S), or None."""
        return None
