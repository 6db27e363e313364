"""When a fast form may replace a part: only if nobody could tell the difference.

A part offers its fast form by a method `fast_step` of its own class. A subclass does not inherit
the offer, because it may compute something else. A part runs as the plain module that it is

- if it is in training mode or has hooks,
- if its `forward` was replaced, on the part or on its class,
- if its weights are of a class of their own.

This holds too for a part that is changed in one of these ways, or replaced by another module,
during decoding. Two changes are not noticed: replacing weights during decoding, and replacing a
method other than `forward` on a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from torch.utils.hooks import RemovableHandle

_disabled = False
#: The original `forward` of each class with a fast step.
FORWARDS: dict[Any, Any] = {}
_Kind = TypeVar("_Kind", bound=type[nn.Module])


def _hooks_of_kind(handle: RemovableHandle) -> Any:
    """Remove a hook, and return the dictionary that held it."""
    handle.remove()
    return handle.hooks_dict_ref()


#: The hooks on all modules. PyTorch has no public name for these dictionaries, but each handle
#: refers to its own.
_HOOKS_OF_ALL = (
    _hooks_of_kind(register_module_forward_hook(lambda *_: None)),
    _hooks_of_kind(register_module_forward_pre_hook(lambda *_: None)),
)


def offers_fast_step(kind: _Kind) -> _Kind:
    """Register a class with a fast step, which replaces the `forward` that the class has now.

    Args:
        kind: a class of modules with a method `fast_step`.
    """
    FORWARDS[kind] = kind.forward
    return kind


def is_plain(weight: object) -> bool:
    """Return whether a weight is a plain PyTorch tensor: a subclass may define its own product."""
    return type(weight) in (Tensor, nn.Parameter)


def is_exactly(part: Any, kind: type) -> bool:
    """Return whether a part is of exactly this class, unmodified, with plain weights.

    Args:
        part: any object.
        kind: the class; its subclasses do not count.

    >>> is_exactly(nn.Linear(2, 2), nn.Linear), is_exactly(nn.Linear(2, 2), nn.Module)
    (True, False)
    """
    return type(part) is kind and _is_unmodified(part)


def fast_step(part: nn.Module, *args: Any) -> Callable[..., Any] | None:
    """Return the fast form that a part offers for these arguments, or None.

    Args:
        part: any module.
        args: the arguments of its own `fast_step`: caches, or the steps of its parts.

    Returns:
        A function that does the same as the part, for one new token per row. None if the part
        offers none, declines, has hooks, is in training mode or has weights that are not plain, or
        within :func:`fast_steps_disabled`.
    """
    offered = vars(type(part)).get("fast_step")
    if _disabled or offered is None or part.training or not _is_unmodified(part):
        return None
    return offered(part, *args)


def step_of(part: nn.Module) -> Callable[..., Tensor]:
    """Return the fast form of a part, or the part itself if it has none."""
    return fast_step(part) or part


@contextmanager
def fast_steps_disabled() -> Iterator[None]:
    """Run every part in its plain form, to compare the two forms or to look inside a part."""
    global _disabled
    before, _disabled = _disabled, True
    try:
        yield
    finally:
        _disabled = before


class PreparedStep:
    """The fast step of a model, prepared again whenever the model has changed.

    Args:
        model: a module that may offer a fast step.
        modules_of: returns the modules of the model that a step may run.
    """

    def __init__(
        self, model: nn.Module, modules_of: Callable[[nn.Module], list[nn.Module]]
    ) -> None:
        self.model, self.modules_of = model, modules_of
        self._modules = modules_of(model)
        self._state: list[object] = []
        self._step: Callable[..., Tensor] | None = None

    def __call__(self, *args: Any) -> Callable[..., Tensor] | None:
        """Return the step, prepared with these arguments if there is none yet."""
        if self._state != _state_of(self._modules):
            self._step, self._modules = None, self.modules_of(self.model)
            self._state = _state_of(self._modules)
        if self._step is None:
            self._step = fast_step(self.model, *args)
        return self._step

    def reset(self) -> None:
        """Prepare the step again in the next call, because its arguments have changed."""
        self._step = None


def _state_of(modules: Iterable[Any]) -> list[object]:
    """Return everything that decides whether modules may use their fast steps.

    This runs at every step of decoding, so it compares counts and identities, nothing more.
    """
    of_all = map(len, _HOOKS_OF_ALL)
    state: list[object] = [_disabled, *of_all, *[kind.forward for kind in FORWARDS]]
    for module in modules:
        own = module.__dict__
        hooks = len(own["_forward_hooks"]), len(own["_forward_pre_hooks"])
        state += (type(module), own["training"], len(own), *hooks, *own["_modules"].values())
    return state


def is_modified(part: Any) -> bool:
    """Return whether a part has hooks, or a method of it or of its class was replaced."""
    kind = type(part)
    return bool(
        part._forward_hooks
        or part._forward_pre_hooks
        or any(_HOOKS_OF_ALL)
        or FORWARDS.get(kind, kind.forward) is not kind.forward
        or any(callable(getattr(kind, name, None)) for name in vars(part))
    )


def _is_unmodified(part: Any) -> bool:
    weights = (weight for weight in part._parameters.values() if weight is not None)
    return not is_modified(part) and all(map(is_plain, weights))
