"""Helpers of the conversions from other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from transformer_lite.layers.unmodified import is_modified, is_plain


def copy_weights(ours: nn.Module, weight: Tensor, bias: Tensor | None = None) -> None:
    """Copy these weights into a part, in their dtype and on their device."""
    ours.weight = copied(weight)
    if hasattr(ours, "bias"):
        ours.register_parameter("bias", None if bias is None else copied(bias))


def copied(weight: Tensor) -> nn.Parameter:
    """Return a copy of a weight as a parameter, trainable if it was."""
    copy = weight.detach().clone(memory_format=torch.contiguous_format)
    return nn.Parameter(copy, weight.requires_grad)


def require(holds: bool, rule: str, came: object) -> None:
    """Refuse an option that this package does not have."""
    if not holds:
        raise ValueError(f"{rule}, got {came!r:.160}")


def require_unmodified(model: nn.Module, name: str) -> None:
    """Refuse a model with a part that computes something else than its class and weights say.

    Args:
        model: the model to convert.
        name: what the error calls it.
    """
    kinds: dict[str, str] = {}
    for path, part in model.named_modules():
        rule = f"{path or name} must have no hooks and no method of its own; remove them first"
        require(not is_modified(part), rule, class_name(part))
        for key, weight in part.named_parameters(recurse=False):
            path_of = f"{path}.{key}".removeprefix(".")
            rule = f"{path_of} must be a plain parameter, neither quantized nor wrapped"
            require(is_plain(weight), rule, class_name(weight))
            kinds.setdefault(f"{weight.dtype} on {weight.device}", path_of)
    one = len(kinds) < 2
    rule = f"all weights of {name} must have one dtype and device: cast it first, as by .float()"
    require(one, rule, ", ".join(f"{kind} in {path}" for kind, path in kinds.items()))


def class_name(part: object) -> str:
    """Return the class of an object with its module, which distinguishes classes of one name."""
    return f"{type(part).__module__}.{type(part).__qualname__}"


class _SkipInitialization(TorchFunctionMode):
    """Skip drawing random weights, which on the meta device would import half of PyTorch."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__module__", None) == "torch.nn.init":
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return func(*args, **kwargs)


@contextmanager
def without_memory() -> Iterator[None]:
    """Make parts without numbers in their weights, because these are replaced at once."""
    with torch.device("meta"), _SkipInitialization():
        yield
