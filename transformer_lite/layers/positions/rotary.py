"""Rotary positions: rotate queries and keys, so their dot product depends on the offset."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite.checks import check_size, check_tensor
from transformer_lite.layers.positions.scaling import RotaryScaling
from transformer_lite.layers.positions.scheme import PositionScheme

NO_SCALING = RotaryScaling()


def rotate_interleaved(
    x: Float[Tensor, "*B T K"],
    start: int = 0,
    base: float = 10000.0,
    scaling: RotaryScaling = NO_SCALING,
) -> Float[Tensor, "*B T K"]:
    """Rotate the pairs (0, 1), (2, 3), … of every token by its position times ωᵢ.

    (x₂ᵢ, x₂ᵢ₊₁) as the complex number x₂ᵢ + i·x₂ᵢ₊₁ is multiplied by e^{i·pos·ωᵢ}.

    Args:
        x: queries or keys, shape (..., T, K) with K even.
        start: the position of the first token, at least 0.
        base: as in :func:`sinusoidal_frequencies`.
        scaling: changes the frequencies ωᵢ, as for texts longer than those of the training.

    Returns:
        Tensor of the shape of `x`; every pair keeps its length, times the scaling's magnitude.

    Raises:
        TypeError: `x` is not a float tensor, `start` is not an int, `base` is not a number, or
            `scaling` not a :class:`RotaryScaling`.
        ValueError: K is odd or 0, `x` has one axis, `start` is negative or `base` not positive.

    Reference: Su et al. 2021, equations 13 to 15; the layout of RoFormer, GPT-J and
    Meta's LLaMA.

    >>> rotate_interleaved(torch.tensor([[1.0, 0.0]]), start=1)
    tensor([[0.5403, 0.8415]])
    """
    cos, sin = _angles(x, start, base, scaling)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.flatten(start_dim=-2)


def rotate_half_split(
    x: Float[Tensor, "*B T K"],
    start: int = 0,
    base: float = 10000.0,
    scaling: RotaryScaling = NO_SCALING,
) -> Float[Tensor, "*B T K"]:
    """Rotate the pairs (0, K/2), (1, K/2 + 1), … by the same angles.

    Equal to :func:`rotate_interleaved` after the columns are reordered by
    :func:`half_split_order`. Args, Returns and Raises are the same.

    Reference: Su et al. 2021; the layout of GPT-NeoX and of Hugging Face's LLaMA, whose columns of
    W^Q and W^K are reordered when Meta's weights are read.

    >>> rotate_half_split(torch.tensor([[1.0, 0.0]]), start=1)
    tensor([[0.5403, 0.8415]])
    """
    cos, sin = _angles(x, start, base, scaling)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def half_split_order(d_head: int) -> Integer[Tensor, " {d_head}"]:
    """Return the order of columns that turns the interleaved into the half-split layout.

    rotate_half_split(x[..., order]) = rotate_interleaved(x)[..., order]

    Args:
        d_head: the width K, an even number.

    Returns:
        Tensor of whole numbers, shape (K,). The even columns come first, then the odd ones.

    Raises:
        TypeError: `d_head` is not an int.
        ValueError: `d_head` is odd or below 2.

    >>> half_split_order(6).tolist()
    [0, 2, 4, 1, 3, 5]
    """
    check_size("d_head", d_head, minimum=2)
    if d_head % 2:
        raise ValueError(f"d_head must be even, for pairs of columns, got {d_head}")
    return torch.arange(d_head).view(-1, 2).T.flatten()


class Rotary(PositionScheme):
    """Rotate every query and key by its position, with :func:`rotate_half_split`.

    Args:
        base: as in :func:`sinusoidal_frequencies`.
        scaling: as in :func:`rotate_interleaved`.

    Raises:
        TypeError: `base` is not a number, or `scaling` is not a :class:`RotaryScaling`.
        ValueError: `base` is not positive.

    Reference: Su et al. 2021. Differs from the paper: the half-split pairs of GPT-NeoX.

    >>> Rotary().rotate(torch.ones(1, 2, 3, 4)).shape
    torch.Size([1, 2, 3, 4])
    """

    def __init__(self, base: float = 10000.0, scaling: RotaryScaling = NO_SCALING):
        super().__init__()
        _check_scaling(scaling)
        scaling.frequencies(2, base)  # raises if base is wrong
        self.base, self.scaling = base, scaling

    def rotate(self, x: Float[Tensor, "B H T K"], start: int = 0) -> Float[Tensor, "B H T K"]:
        """Return queries or keys, rotated; errors as in :func:`rotate_half_split`."""
        return rotate_half_split(x, start, self.base, self.scaling)


def _angles(
    x: Float[Tensor, "*B T K"], start: int, base: float, scaling: RotaryScaling
) -> tuple[Float[Tensor, "T K//2"], Float[Tensor, "T K//2"]]:
    check_tensor("x", x, min_rank=2)
    _check_scaling(scaling)
    check_size("start", start, minimum=0)
    width = x.shape[-1]
    if width == 0 or width % 2:
        raise ValueError(f"x must have an even width, at least 2, got shape {tuple(x.shape)}")
    end = start + x.shape[-2]
    if torch.compiler.is_compiling() or end > LONGEST_TABLE:
        return _table(start, end, width, base, scaling, x.dtype, x.device)
    # A table for 64, 128, 256, … positions, so that it is rarely computed again.
    length = max(64, 1 << (end - 1).bit_length())
    cos, sin = _kept_table(length, width, base, scaling, x.dtype, x.device)
    return cos[start:end], sin[start:end]


def _check_scaling(scaling: RotaryScaling) -> None:
    if not isinstance(scaling, RotaryScaling):
        raise TypeError(f"scaling must be a RotaryScaling, got {scaling!r:.60}")


def _table(
    start: int,
    end: int,
    width: int,
    base: float,
    scaling: RotaryScaling,
    dtype: torch.dtype,
    device: torch.device,
) -> tuple[Float[Tensor, "T P"], Float[Tensor, "T P"]]:
    """Return the cosines and sines of the positions from `start` to `end` − 1.

    The angles are in float64, because float32 is inexact at far positions, and computed on the CPU,
    because not every device has float64.
    """
    position = torch.arange(start, end, dtype=torch.float64)
    angles = position[:, None] * scaling.frequencies(width, base)
    cos, sin = angles.cos() * scaling.magnitude, angles.sin() * scaling.magnitude
    return cos.to(device, dtype), sin.to(device, dtype)


@lru_cache(maxsize=8)
def _kept_table(length: int, *args: Any) -> tuple[Tensor, Tensor]:
    """Return the table from position 0 on, which training may use after inference did."""
    with torch.inference_mode(False), torch.device("cpu"):
        return _table(0, length, *args)


#: Longer tables, of 16 MB and more for heads of width 128, are not kept.
LONGEST_TABLE = 32768
