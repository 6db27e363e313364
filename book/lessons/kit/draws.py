"""Random numbers that are the same in Python and JavaScript."""

import torch
from torch import Tensor

_WORD = 0xFFFFFFFF


def uniform(seed: int, count: int) -> Tensor:
    """Draw numbers from −1 to 1 with the generator mulberry32, as the figures do in JavaScript.

    Args:
        seed: the start of the sequence, at least 0.
        count: how many numbers.

    Returns:
        float64 tensor of shape (count,).
    """
    state = (seed + 0x6D2B79F5 * torch.arange(1, count + 1)) & _WORD
    mixed = _multiply(state ^ (state >> 15), state | 1)
    mixed = mixed ^ ((mixed + _multiply(mixed ^ (mixed >> 7), mixed | 61)) & _WORD)
    return (mixed ^ (mixed >> 14)).double() / 2**31 - 1


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    """Return the lower 32 bits of a · b, by halves that do not overflow 64 bits."""
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & _WORD
