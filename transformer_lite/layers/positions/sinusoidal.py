"""Sinusoidal positions: pairs of clock hands, each pair slower than the one before."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_number, check_shape, check_size
from transformer_lite.layers.positions.scheme import PositionScheme


def sinusoidal_frequencies(d_model: int, base: float = 10000.0) -> Float[Tensor, " {d_model}//2"]:
    """Return the speed of each pair of clock hands: ωᵢ = base^(−2i/D) for i = 0 … D/2 − 1.

    Args:
        d_model: the width D, an even number.
        base: the ratio between the fastest and the (never reached) slowest speed, above 0.

    Returns:
        float64 tensor of shape (D/2,).

    Raises:
        TypeError: `d_model` is not an int or `base` not a number.
        ValueError: `d_model` is odd or `base` is not positive.

    >>> sinusoidal_frequencies(4)
    tensor([1.0000, 0.0100], dtype=torch.float64)
    """
    check_size("d_model", d_model, minimum=2)
    check_number("base", base)
    if d_model % 2:
        raise ValueError(f"d_model must be even, for pairs of sine and cosine, got {d_model}")
    if base == 0:
        raise ValueError("base must be greater than 0, got 0")
    pair = torch.arange(d_model // 2, dtype=torch.float64)
    return base ** (-2 * pair / d_model)


def sinusoidal_positions(
    length: int, d_model: int, start: int = 0, base: float = 10000.0
) -> Float[Tensor, "{length} {d_model}"]:
    """Return the table PE(pos, 2i) = sin(pos · ωᵢ), PE(pos, 2i+1) = cos(pos · ωᵢ).

    Sine and cosine of a pair share one exponent, 2i/D. A position is computed, not looked up, so
    there is no maximum.

    Args:
        length: the number of positions T, at least 1.
        d_model: the width D, an even number.
        start: the first position, at least 0.
        base: as in :func:`sinusoidal_frequencies`.

    Returns:
        float64 tensor of shape (T, D).

    Raises:
        TypeError: `length`, `d_model` or `start` is not an int, or `base` not a number.
        ValueError: `length` is below 1, `start` below 0, `d_model` odd, or `base` not positive.

    Reference: Vaswani et al. 2017, section 3.5.

    >>> sinusoidal_positions(2, 4)[1]
    tensor([0.8415, 0.5403, 0.0100, 1.0000], dtype=torch.float64)
    """
    check_size("length", length)
    check_size("start", start, minimum=0)
    frequencies = sinusoidal_frequencies(d_model, base)
    position = torch.arange(start, start + length, dtype=torch.float64)
    angles = position[:, None] * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)


def shift_rotation(
    offset: float, d_model: int, base: float = 10000.0
) -> Float[Tensor, "{d_model} {d_model}"]:
    """Return the matrix R with PE(pos + offset) = R PE(pos), the same R for every position.

    Each pair of entries is rotated by offset · ωᵢ: a shift is a rotation.

    Args:
        offset: how far to shift, any number; a negative one shifts back.
        d_model: the width D, an even number.
        base: as in :func:`sinusoidal_frequencies`.

    Returns:
        float64 tensor of shape (D, D), block-diagonal.

    Raises:
        TypeError, ValueError: as in :func:`sinusoidal_frequencies`, and for `offset`.

    Reference: Vaswani et al. 2017, section 3.5, where the matrix is claimed and not shown.

    >>> table = sinusoidal_positions(8, 4)
    >>> torch.allclose(table[3:], table[:5] @ shift_rotation(3, 4).T)
    True
    """
    check_number("offset", offset, low=-math.inf)
    angles = offset * sinusoidal_frequencies(d_model, base)
    sin, cos = angles.sin(), angles.cos()
    # sin(p+o) = cos(o) sin(p) + sin(o) cos(p) and cos(p+o) = −sin(o) sin(p) + cos(o) cos(p)
    blocks = torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)
    return torch.block_diag(*blocks)


class SinusoidalPositions(PositionScheme):
    """Add :func:`sinusoidal_positions` to the tokens. Nothing is learned.

    Args:
        d_model: the width D, an even number.
        max_len: how many positions to compute in advance, at least 1; later ones are computed when
            needed.

    Raises:
        TypeError, ValueError: as in :func:`sinusoidal_positions`.

    Reference: Vaswani et al. 2017, section 3.5.

    >>> SinusoidalPositions(4).embed(torch.zeros(1, 2, 4))[0, 0]
    tensor([0., 1., 0., 1.])
    """

    table: Tensor

    def __init__(self, d_model: int, max_len: int = 1024):
        super().__init__()
        check_size("max_len", max_len)
        self.d_model = d_model
        table = sinusoidal_positions(max_len, d_model).float()
        self.register_buffer("table", table, persistent=False)

    def embed(self, x: Float[Tensor, "B T D"], start: int = 0) -> Float[Tensor, "B T D"]:
        """Add the positions from `start` on, in the dtype of `x` and on its device.

        Raises:
            TypeError: `x` is not a float tensor or `start` is not an int.
            ValueError: `x` does not have shape (B, T, D) or `start` is negative.
        """
        check_shape("x", x, "B", "T", self.d_model)
        check_size("start", start, minimum=0)
        end = start + x.shape[1]
        if end <= len(self.table):
            positions = self.table[start:end]
        else:
            positions = sinusoidal_positions(x.shape[1], self.d_model, start).float()
        return x + positions.to(x)
