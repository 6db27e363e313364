"""The linear layer: the product of tokens and a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from transformer_lite.fast.decoding_step import linear_step
from transformer_lite.fast.exact import is_plain, offers_fast_step


@offers_fast_step
class Linear(nn.Linear):
    """PyTorch's linear layer, x Wᵀ + b, which offers a faster form for the steps of decoding.

    Args, shapes and Raises are those of ``torch.nn.Linear``, and so are the names of its weights.

    >>> import torch
    >>> Linear(4, 3)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 3])
    """

    def fast_step(self) -> Callable[[Tensor], Tensor]:
        """Return the same, prepared for many steps of decoding."""
        return linear_step(self)


def weight_to_check(part: nn.Module, default: Any) -> Any:
    """Return the weight of a linear layer, whose dtype, device and width inputs must have.

    Args:
        part: a projection. A wrapped or quantized one checks its inputs itself.
        default: what to return for such a projection.
    """
    weight: Any = part.weight if isinstance(part, nn.Linear) else None
    if is_plain(weight) and weight.is_floating_point():
        return weight
    return default
