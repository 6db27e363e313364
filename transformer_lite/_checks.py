"""The errors for arguments and shapes. Each names the argument, the rule and what came."""

import math

import torch
from torch import Tensor


def check_tensor(name: str, value: object, min_rank: int = 1) -> None:
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


def check_shape(name: str, value: object, *axes: int | str) -> None:
    """Require a floating-point tensor with these axes; a letter stands for any size."""
    check_tensor(name, value)
    fits = len(axes) == value.ndim and all(
        isinstance(axis, str) or axis == size for axis, size in zip(axes, value.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(map(str, axes))
        raise ValueError(f"{name} must have shape ({wanted}), got {tuple(value.shape)}")


def check_ids(name: str, value: object) -> None:
    """Require a tensor of token ids: integers, of shape (S,) or (B, S)."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(value).__name__}: {value!r:.60}")
    if value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{name} must hold integers, got dtype {value.dtype}")
    if value.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (S,) or (B, S), got {tuple(value.shape)}")


def check_mask(mask: object, shape: tuple[int, ...], device: torch.device) -> None:
    """Require a boolean tensor on `device` that broadcasts to `shape`; True means may attend."""
    check_boolean("mask", mask)
    fits = mask.ndim <= len(shape) and all(
        size in (1, wanted)
        for size, wanted in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ValueError(f"mask must broadcast to {tuple(shape)}, got shape {tuple(mask.shape)}")
    if mask.device != device:
        raise TypeError(f"mask must be on device {device}, got {mask.device}")


def check_boolean(name: str, mask: object) -> None:
    """Require a boolean tensor."""
    if not isinstance(mask, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, got {type(mask).__name__}: {mask!r:.60}")
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{name} must be boolean (True = may attend), got dtype {mask.dtype}; "
            f"write {name}.bool() if 1 means may attend"
        )


def check_same(names: str, **tensors: Tensor) -> None:
    """Require that all tensors share one dtype and one device."""
    for kind in ("dtype", "device"):
        found = {name: str(getattr(tensor, kind)) for name, tensor in tensors.items()}
        if len(set(found.values())) > 1:
            came = ", ".join(f"{name} {value}" for name, value in found.items())
            raise TypeError(f"{names} must share one {kind}, got {came}")


def check_size(name: str, value: object, minimum: int = 1) -> None:
    """Require a whole number of at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}: {value!r:.60}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")


def check_number(name: str, value: object, low: float = 0.0, high: float = math.inf) -> None:
    """Require a real number with `low` ≤ value < `high`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}: {value!r:.60}")
    if not low <= value < high:
        raise ValueError(f"{name} must satisfy {low:g} <= {name} < {high:g}, got {value}")
