"""The linear layer: the product of tokens and a matrix."""

from __future__ import annotations

from typing import Any

from torch import nn

from transformer_lite.layers.unmodified import is_plain


class Linear(nn.Linear):
    """PyTorch's linear layer, x Wᵀ + b, in a class of its own, which fast forms recognize.

    Args, shapes and Raises are those of ``torch.nn.Linear``, and so are the names of its weights.

    >>> import torch
    >>> Linear(4, 3)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 3])
    """


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
