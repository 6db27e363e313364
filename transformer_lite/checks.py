"""The errors for arguments and shapes. Each names the argument, the rule and the value given.

Arguments are annotated as the `Tensor` that they should be; anything else is found at run time.
"""

import math
from collections.abc import Iterable

import torch
from torch import Tensor


def check_tensor(name: str, value: Tensor, min_rank: int = 1) -> None:
    """Require a floating-point tensor of at least `min_rank` axes."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(value).__name__}: {value!r:.60}")
    if not value.is_floating_point():
        raise TypeError(
            f"{name} must hold floating-point numbers, got dtype {value.dtype}; call {name}.float()"
        )
    if value.ndim < min_rank:
        raise ValueError(
            f"{name} must have at least {min_rank} axes, got shape {tuple(value.shape)}"
        )


def fits(x: object, weights: Tensor) -> bool:
    """Return whether tokens fit weights: same width, dtype and device.

    This is the fast check, made in every step of a model. If it fails, the slower checks find the
    reason.
    """
    return (
        isinstance(x, Tensor)
        and x.dtype == weights.dtype
        and x.shape[-1:] == weights.shape[-1:]
        and x.device == weights.device
    )


def check_shape(name: str, value: Tensor, *axes: int | str) -> None:
    """Require a floating-point tensor with these axes; a letter means any size."""
    check_tensor(name, value)
    same = len(axes) == value.ndim and all(
        isinstance(axis, str) or axis == size for axis, size in zip(axes, value.shape, strict=True)
    )
    if not same:
        wanted = ", ".join(map(str, axes))
        raise ValueError(f"{name} must have shape ({wanted}), got {tuple(value.shape)}")


def check_integers(name: str, value: Tensor) -> None:
    """Require a tensor of integers, of any shape."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(value).__name__}: {value!r:.60}")
    if value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{name} must hold integers, got dtype {value.dtype}")


def check_rows(rows: Tensor, count: int) -> None:
    """Require integers that choose among `count` rows.

    Raises:
        TypeError: `rows` does not hold integers.
        ValueError: a row does not exist.
    """
    check_integers("rows", rows)
    if len(rows) and not (int(rows.min()) >= 0 and int(rows.max()) < count):
        raise ValueError(f"rows must lie between 0 and {count - 1}, got {rows.tolist()}")


def check_ids(name: str, value: Tensor) -> None:
    """Require a tensor of token ids: integers, of shape (S,) or (B, S)."""
    check_integers(name, value)
    if value.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (S,) or (B, S), got {tuple(value.shape)}")


def check_ids_in_range(name: str, value: Tensor, size: int) -> None:
    """Require integers from 0 to `size` − 1, of any shape."""
    check_integers(name, value)
    # Values are read where that is free: not from another device, where PyTorch checks by
    # itself, and not while the model is being compiled.
    if value.device.type != "cpu" or torch.compiler.is_compiling() or value.numel() == 0:
        return
    try:
        low, high = (int(extreme) for extreme in value.aminmax())
    except RuntimeError:  # inside torch.func.vmap no value can be read
        return
    if low < 0 or high >= size:
        came = low if low < 0 else high
        raise ValueError(f"{name} must lie between 0 and {size - 1}, got {came}")


def check_batch_of_ids(name: str, value: Tensor, size: int) -> None:
    """Require token ids from 0 to `size` − 1 of shape (B, T), with at least one token per row."""
    check_ids_in_range(name, value, size)
    if value.ndim != 2 or value.shape[1] == 0:
        raise ValueError(
            f"{name} must have shape (B, T) with T at least 1, got {tuple(value.shape)}"
        )


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Require one of the words in `choices`."""
    if value not in tuple(choices):  # a dict would not even look for a list
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")


def check_mask(mask: Tensor, shape: tuple[int, ...], device: torch.device) -> None:
    """Require a boolean tensor on `device` that broadcasts to `shape`; True means may attend."""
    check_boolean("mask", mask)
    check_broadcast("mask", mask, shape)
    if mask.device != device:
        raise TypeError(f"mask must be on device {device}, got {mask.device}")


def check_broadcast(name: str, tensor: Tensor, shape: tuple[int, ...]) -> None:
    """Require a tensor that broadcasts to `shape`."""
    broadcasts = tensor.ndim <= len(shape) and all(
        size in (1, wanted)
        for size, wanted in zip(reversed(tensor.shape), reversed(shape), strict=False)
    )
    if not broadcasts:
        came = tuple(tensor.shape)
        raise ValueError(f"{name} must broadcast to {tuple(shape)}, got shape {came}")


def check_boolean(name: str, mask: Tensor) -> None:
    """Require a boolean tensor."""
    if not isinstance(mask, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(mask).__name__}: {mask!r:.60}")
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{name} must be boolean (True = may attend), got dtype {mask.dtype}; "
            f"write {name}.bool() if 1 means may attend"
        )


def check_same(names: str, **tensors: Tensor) -> None:
    """Require that all tensors share one dtype and one device.

    Under autocast the dtypes may differ: there PyTorch chooses them, operation by operation.
    """
    first, *others = tensors.values()
    for other in others:
        if other.device != first.device:
            _raise_difference(names, "device", tensors)
        if other.dtype != first.dtype and not torch.is_autocast_enabled(first.device.type):
            _raise_difference(names, "dtype", tensors)


def check_tokens(x: Tensor, **weights: Tensor) -> None:
    """Require tokens of the width of the weights' last axis, and their dtype and device."""
    if all(fits(x, weight) for weight in weights.values()):
        return
    check_tensor("x", x)
    check_same(" and ".join(["x", *weights]), x=x, **weights)
    width = next(iter(weights.values())).shape[-1]
    if x.shape[-1] != width:
        raise ValueError(f"x must have shape (..., {width}), got {tuple(x.shape)}")


def _raise_difference(names: str, kind: str, tensors: dict[str, Tensor]) -> None:
    came = ", ".join(f"{name} {getattr(tensor, kind)}" for name, tensor in tensors.items())
    raise TypeError(f"{names} must share one {kind}, got {came}")


def check_size(name: str, value: object, minimum: int = 1) -> None:
    """Require a whole number of at least `minimum`."""
    # torch.export traces with sizes that are symbols, not numbers.
    if isinstance(value, bool) or not isinstance(value, int | torch.SymInt):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}: {value!r:.60}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")


def check_number(name: str, value: object, low: float = 0.0, high: float = math.inf) -> None:
    """Require a real number with `low` ≤ value < `high`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}: {value!r:.60}")
    if not low <= value < high:
        raise ValueError(f"{name} must satisfy {low:g} <= {name} < {high:g}, got {value}")


def check_head_sizes(d_model: int, num_heads: int, d_head: int | None = None) -> None:
    """Require a width and a number of heads, which divides it if the heads have no own width."""
    check_size("d_model", d_model)
    check_size("num_heads", num_heads)
    if d_head is not None:
        check_size("d_head", d_head)
    elif d_model % num_heads:
        raise ValueError(
            f"num_heads must divide d_model, got d_model={d_model}, num_heads={num_heads}"
        )
