"""torch as it was when the exercises were loaded, for as long as a reference runs.

A chapter is loaded, and a reference runs, when a reader first asks for it. By then a notebook may
have replaced a function of torch or of this package's layers, changed torch's default dtype or
device, or be inside `torch.inference_mode()`. None of this may change a case or an expected value.
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
_FOUND: dict[_Owner, dict[str, Callable[..., Any]]] = {
    owner: _callables(owner)
    for name, owner in sys.modules.items()
    if name in _MODULES or name.startswith("transformer_lite.layers")
}
_FOUND[Tensor] = _callables(Tensor)
_NAMES_OF_TENSOR = set(vars(Tensor))


_MISSING = object()


@contextmanager
def as_found() -> Iterator[None]:
    """Put back every replaced function and the usual settings, for a while."""
    changes = list(_changes())
    try:
        for owner, name, _, found in changes:
            _put(owner, name, found)
        with usual_settings():
            yield
    finally:
        for owner, name, replacement, _ in changes:
            _put(owner, name, replacement)


@contextmanager
def usual_settings() -> Iterator[None]:
    """Compute in float32, on the CPU and with gradients, whatever a notebook has set."""
    dtype = _get_dtype()
    _set_dtype(torch.float32)
    try:
        on_cpu = _get_device().type == "cpu"
        with nullcontext() if on_cpu else _device("cpu"), _inference_mode(False), _enable_grad():
            yield
    finally:
        _set_dtype(dtype)


def _changes() -> Iterator[tuple[_Owner, str, object, object]]:
    """Yield what is no longer as it was found: where, its name, what it is and what it was."""
    for owner, found in _FOUND.items():
        now = vars(owner)
        for name, value in found.items():
            if now.get(name, _MISSING) is not value:
                yield owner, name, now.get(name, _MISSING), value
    # A new name in Tensor hides a method that it inherits.
    for name in vars(Tensor).keys() - _NAMES_OF_TENSOR:
        yield Tensor, name, vars(Tensor)[name], _MISSING


def _put(owner: _Owner, name: str, value: object) -> None:
    if value is _MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, value)
