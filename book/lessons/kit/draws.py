"""Random numbers that are the same in Python and JavaScript."""

import torch
from jaxtyping import Float
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


def uniform_floats(seed: int, count: int) -> list[float]:
    """Draw numbers from 0 up to 1 in the same way.

    Args:
        seed: the start of the sequence, at least 0.
        count: how many numbers.
    """
    return ((uniform(seed, count) + 1) / 2).tolist()


def draw_index(probabilities: Float[Tensor, " V"], chance: float) -> int:
    """Return the index that a chance draws: the first whose cumulative probability is above it.

    Args:
        probabilities: shape (V,). Rounding may leave their sum below 1; then a chance above the
            sum draws the most probable index.
        chance: at least 0, below 1.
    """
    above = probabilities.cumsum(dim=0) > chance
    return int(above.int().argmax() if above.any() else probabilities.argmax())


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    """Return the lower 32 bits of a · b, by halves that do not overflow 64 bits."""
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & _WORD
