"""Helpers of the conversions from other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode


def copy_weights(ours: nn.Module, weight: Tensor, bias: Tensor | None = None) -> None:
    """Copy these weights into a part, in their dtype and on their device."""
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


class _NothingDrawn(TorchFunctionMode):
    """Skip drawing random weights, which on the meta device would import half of PyTorch."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__module__", None) == "torch.nn.init":
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return func(*args, **kwargs)


@contextmanager
def without_memory() -> Iterator[None]:
    """Make parts without numbers in their weights, because these are replaced at once."""
    with torch.device("meta"), _NothingDrawn():
        yield
