"""The base of all position schemes: the three hooks where one can act."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn


class PositionScheme(nn.Module):
    """The scheme without positions. Others override the hook at which they act.

    The model calls `embed` once, on the tokens; every self-attention calls `rotate` and `bias`.
    `start` is the position of the first token or query: greater than 0 when decoding with a cache.

    >>> import torch
    >>> PositionScheme().bias(torch.zeros(1, 2, 3, 4), key_length=3) is None
    True
    """

    def embed(self, x: Float[Tensor, "B T D"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Return the tokens with their positions added, shape (B, T, D)."""
        return x

    def rotate(self, x: Float[Tensor, "B H T K"], start: int = 0) -> Float[Tensor, "B H T K"]:
        """Return queries or keys, shape (B, H, T, K), rotated by their positions."""
        return x

    def bias(
        self, query: Float[Tensor, "B H T K"], key_length: int, start: int = 0
    ) -> Float[Tensor, "*#b #H #T {key_length}"] | None:
        """Return the bias of the scaled scores, broadcastable to (B, H, T, S), or None."""
        return None
