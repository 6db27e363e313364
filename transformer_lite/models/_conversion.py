"""What the conversions from other libraries share."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def copy_weights(ours: nn.Module, weight: Tensor, bias: Tensor | None = None) -> None:
    """Give a part copies of these weights, in their dtype and on their device."""
    ours.weight = copied(weight)
    if bias is not None:
        ours.bias = copied(bias)


def copied(weight: Tensor) -> nn.Parameter:
    """Return a copy of a weight as a parameter, trainable if it was."""
    copy = weight.detach().clone(memory_format=torch.contiguous_format)
    return nn.Parameter(copy, weight.requires_grad)


def require(holds: bool, rule: str, came: object) -> None:
    """Refuse an option that this package does not have."""
    if not holds:
        raise ValueError(f"{rule}, got {came!r:.100}")


def without_memory() -> torch.device:
    """Return the device on which parts are made whose weights are replaced at once."""
    return torch.device("meta")
