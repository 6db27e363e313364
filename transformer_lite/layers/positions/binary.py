"""Binary counting: the intuition behind the sinusoids."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_size


def binary_positions(length: int, bits: int) -> Float[Tensor, "{length} {bits}"]:
    """Return every position as a binary number: the last bit flips fastest.

    A sinusoid is a smooth version of a bit: each pair of entries turns more slowly than the pair
    before it, as each bit flips half as often as the one to its right.

    Args:
        length: the number of positions, from 1 to 2^bits.
        bits: the width of the table, at least 1.

    Returns:
        Tensor of shape (length, bits) with entries 0.0 and 1.0, the highest bit first.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is below 1, or `length` does not fit into `bits` bits.

    >>> binary_positions(4, 2).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    check_size("length", length)
    check_size("bits", bits)
    if length > 2**bits:
        raise ValueError(f"length must be at most 2**bits = {2**bits}, got {length}")
    place = torch.arange(bits - 1, -1, -1)
    return (torch.arange(length)[:, None] >> place & 1).float()
