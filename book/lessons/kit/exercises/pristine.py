"""Restore torch while a reference runs to the state in which the exercises were loaded.

A chapter is loaded, and its references run, when a reader first uses it. By then a notebook may
have replaced a function of torch or of this package's layers, changed torch's default dtype or
device, or entered `torch.inference_mode()`. None of this may change a case or an expected value.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

_get_dtype, _set_dtype, _device = torch.get_default_dtype, torch.set_default_dtype, torch.device
_get_device = torch.get_default_device
_inference_mode, _enable_grad = torch.inference_mode, torch.enable_grad
_Owner = ModuleType | type


def _callables(owner: _Owner) -> dict[str, Callable[..., Any]]:
    return {name: value for name, value in vars(owner).items() if callable(value)}


_MODULES = ("torch", "torch.nn.functional", "torch.autograd", "torch.linalg", "torch.special")
_ORIGINALS: dict[_Owner, dict[str, Callable[..., Any]]] = {
    owner: _callables(owner)
    for name, owner in sys.modules.items()
    if name in _MODULES or name.startswith("transformer_lite.layers")
}
_ORIGINALS[Tensor] = _callables(Tensor)
_TENSOR_NAMES = set(vars(Tensor))


_MISSING = object()


@contextmanager
def pristine_torch() -> Iterator[None]:
    """Undo every replacement in torch, and use the default settings, within a block."""
    changes = list(_changes())
    try:
        for owner, name, _, original in changes:
            _put(owner, name, original)
        with default_settings():
            yield
    finally:
        for owner, name, replacement, _ in changes:
            _put(owner, name, replacement)


@contextmanager
def default_settings() -> Iterator[None]:
    """Compute in float32, on the CPU and with gradients within a block, whatever was set before."""
    dtype = _get_dtype()
    _set_dtype(torch.float32)
    try:
        try:
            on_cpu = _get_device().type == "cpu"
        except Exception:  # it is one that this machine lacks, and torch tries to use it
            on_cpu = False
        with nullcontext() if on_cpu else _device("cpu"), _inference_mode(False), _enable_grad():
            yield
    finally:
        _set_dtype(dtype)


def _changes() -> Iterator[tuple[_Owner, str, object, object]]:
    """Yield each replaced attribute: its owner, its name, its present and its original value."""
    for owner, originals in _ORIGINALS.items():
        now = vars(owner)
        for name, value in originals.items():
            if now.get(name, _MISSING) is not value:
                yield owner, name, now.get(name, _MISSING), value
    # A new name in Tensor hides a method that it inherits.
    for name in vars(Tensor).keys() - _TENSOR_NAMES:
        yield Tensor, name, vars(Tensor)[name], _MISSING


def _put(owner: _Owner, name: str, value: object) -> None:
    if value is _MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, value)
