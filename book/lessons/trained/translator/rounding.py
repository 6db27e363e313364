"""Weights of 8 bits: whole numbers from −127 to 127, times one power of two a row."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int8
from torch import Tensor, nn

from transformer_lite.checks import check_tensor

LARGEST = 127
# The smallest exponent: 2^−24 is the smallest step of float16, which so holds every value exactly.
SMALLEST_EXPONENT = -24


def rounded(
    weight: Float[Tensor, "*N M"],
) -> tuple[Int8[Tensor, "*N M"], Int8[Tensor, "*N 1"]]:
    """Round each row to whole numbers of 8 bits times a power of two.

    The exponent of a row is the smallest e for which its largest entry, its sign left out, is at
    most 127 · 2^e. No entry moves by more than 2^e / 2.

    Args:
        weight: a matrix, whose rows have one exponent each, or a vector, which has one.

    Returns:
        The whole numbers, in the shape of `weight`, and the exponents; the values are
        numbers · 2^exponents.

    Raises:
        TypeError: `weight` is not a float tensor.
        ValueError: an entry is not finite, or too large: the exponent has to be at most 8.

    >>> rounded(torch.tensor([[1.0, -0.26], [100.0, 3.2]]))[0].tolist()
    [[64, -17], [100, 3]]
    """
    check_tensor("weight", weight)
    largest = weight.detach().double().abs().amax(dim=-1, keepdim=True)
    if not bool((largest <= LARGEST * 2.0**8).all()):  # NaN is not
        raise ValueError(f"weight must have entries up to 32512, got {largest.max().item():g}")
    exponents = (largest / LARGEST).log2().ceil().clamp(min=SMALLEST_EXPONENT)
    numbers = (weight.detach().double() / 2**exponents).round()
    return numbers.to(torch.int8), exponents.to(torch.int8)


def round_weights(model: nn.Module) -> None:
    """Round all weights of a model in place, as :func:`rounded` says.

    A second time nothing changes. A weight that occurs in several places is rounded once.

    Raises:
        ValueError: as in :func:`rounded`.

    >>> layer = nn.Linear(3, 2)
    >>> round_weights(layer)
    >>> bool((layer.weight == layer.weight.half()).all())
    True
    """
    for weight in model.parameters():
        numbers, exponents = rounded(weight)
        weight.data.copy_(numbers.double() * 2.0**exponents)
