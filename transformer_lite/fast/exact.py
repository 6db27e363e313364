"""When a fast form may stand in for a part: only where nobody could tell the difference.

A part offers its fast form by a method `fast_step` of its own class. A subclass that computes
something else does not inherit the offer. A part that somebody watches with hooks, that is in
training mode, whose `forward` was replaced, on it alone or on its class, or whose weights are of a
class of their own, runs as the module that it is. So does one that is changed in one of these ways,
or swapped for another module, while a decoding goes on. Two changes are not noticed: weights that
are replaced in the middle of a decoding, and methods other than `forward` that are replaced on a
class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from torch import Tensor, nn
from torch.nn.modules import module as hooks_of_all

_switched_off = False
#: The `forward` that each class with a fast step was written with.
FORWARDS: dict[Any, Any] = {}
_Kind = TypeVar("_Kind", bound=type[nn.Module])


def offers_fast_step(kind: _Kind) -> _Kind:
    """Keep the `forward` that a class has when it is written: its fast step stands in for this.

    Args:
        kind: a class of modules with a method `fast_step`.
    """
    FORWARDS[kind] = kind.forward
    return kind


def is_plain(weight: object) -> bool:
    """Return whether a weight is a plain PyTorch tensor: a subclass may define its own product."""
    return type(weight) in (Tensor, nn.Parameter)


def is_exactly(part: Any, kind: type) -> bool:
    """Return whether a part is of this very class, and runs as the class says, on plain weights.

    Args:
        part: any object.
        kind: the class; its subclasses do not count.

    >>> is_exactly(nn.Linear(2, 2), nn.Linear), is_exactly(nn.Linear(2, 2), nn.Module)
    (True, False)
    """
    return type(part) is kind and _runs_as_written(part)


def fast_step(part: nn.Module, *args: Any) -> Callable[..., Any] | None:
    """Return the fast form that a part offers for these arguments, or None.

    Args:
        part: any module.
        args: what its own `fast_step` takes: caches, or what runs inside it.

    Returns:
        A function that does what the part does, for one new token a row; None where the part
        offers none, declines, is watched or in training mode, has weights that are not plain, or
        :func:`plain` holds.
    """
    offered = vars(type(part)).get("fast_step")
    if _switched_off or offered is None or part.training or not _runs_as_written(part):
        return None
    return offered(part, *args)


def step_of(part: nn.Module) -> Callable[..., Tensor]:
    """Return the fast form of a part of one argument, or else the part itself."""
    return fast_step(part) or part


@contextmanager
def plain() -> Iterator[None]:
    """Switch all fast steps off, to compare with the plain modules or to look into them."""
    global _switched_off
    before, _switched_off = _switched_off, True
    try:
        yield
    finally:
        _switched_off = before


def conditions(parts: Iterable[Any]) -> list[object]:
    """Return what decides which parts may take a fast step: prepared again when this changes.

    Asked at every step, so it looks up little: what of a part, or of its class, may be another.
    """
    of_all = len(hooks_of_all._global_forward_hooks), len(hooks_of_all._global_forward_pre_hooks)
    found: list[object] = [_switched_off, *of_all, *[kind.forward for kind in FORWARDS]]
    for part in parts:
        own = part.__dict__
        hooks = len(own["_forward_hooks"]), len(own["_forward_pre_hooks"])
        found += (type(part), own["training"], len(own), *hooks, *own["_modules"].values())
    return found


def is_changed(part: Any) -> bool:
    """Return whether a part has hooks, or a method of it or of its class was replaced."""
    kind = type(part)
    return bool(
        part._forward_hooks
        or part._forward_pre_hooks
        or hooks_of_all._global_forward_hooks
        or hooks_of_all._global_forward_pre_hooks
        or FORWARDS.get(kind, kind.forward) is not kind.forward
        or any(callable(getattr(kind, name, None)) for name in vars(part))
    )


def _runs_as_written(part: Any) -> bool:
    weights = (weight for weight in part._parameters.values() if weight is not None)
    return not is_changed(part) and all(map(is_plain, weights))
