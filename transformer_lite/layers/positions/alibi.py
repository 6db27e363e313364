"""ALiBi: no position vectors, only a penalty that grows with the distance."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_shape, check_size
from transformer_lite.layers.positions.relative import offsets
from transformer_lite.layers.positions.scheme import PositionScheme


def alibi_slopes(num_heads: int) -> Float[Tensor, " {num_heads}"]:
    """Return one slope per head: 2^(−8/H), 2^(−16/H), … 2^(−8).

    If H is not a power of two, the slopes of the next lower power come first, and every other slope
    of the next higher power follows.

    Args:
        num_heads: H, at least 1.

    Returns:
        Tensor of shape (H,).

    Raises:
        TypeError: `num_heads` is not an int.
        ValueError: `num_heads` is smaller than 1.

    Reference: Press, Smith and Lewis 2022, section 3, and their code.

    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    check_size("num_heads", num_heads)
    power = 2 ** math.floor(math.log2(num_heads))

    def slopes(heads: int) -> Tensor:
        return 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)

    return torch.cat([slopes(power), slopes(2 * power)[0::2][: num_heads - power]])


class ALiBi(PositionScheme):
    """Subtract slope · distance from the scores of every head.

    Args:
        num_heads: H, the number of heads.

    Raises:
        TypeError, ValueError: as in :func:`alibi_slopes`.

    Reference: Press, Smith and Lewis 2022. Differs from the paper: the distance is absolute, so
    that an encoder, which looks ahead, can use it too.

    >>> ALiBi(1).bias(torch.zeros(1, 1, 1, 2), key_length=3, start=2)
    tensor([[[-0.0078, -0.0039,  0.0000]]])
    """

    slopes: Tensor

    def __init__(self, num_heads: int):
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(num_heads), persistent=False)

    def bias(
        self, query: Float[Tensor, "B H T K"], key_length: int, start: int = 0
    ) -> Float[Tensor, "H T {key_length}"]:
        """Return −slope · distance for every head, query and key: shape (H, T, S).

        Raises:
            TypeError: `query` is not a float tensor, or a length or `start` is not an int.
            ValueError: `query` is not of shape (B, H, T, K), or a length or `start` is negative.
        """
        check_shape("query", query, "B", len(self.slopes), "T", "K")
        distance = offsets(query.shape[-2], key_length, start, query.device).abs()
        return (self.slopes[:, None, None] * -distance).to(query.dtype)
