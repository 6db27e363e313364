"""Whether a part computes what its class says: no hooks, no replaced method, plain weights.

The fast forms and the conversions to other libraries ask. Nothing here teaches.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from torch.utils.hooks import RemovableHandle

#: The original `forward` of each class with a fast form, to notice when it is replaced.
FORWARDS: dict[Any, Any] = {}


def _hooks_of_kind(handle: RemovableHandle) -> Any:
    """Remove a hook, and return the dictionary that held it."""
    handle.remove()
    return handle.hooks_dict_ref()


#: The hooks on all modules. PyTorch has no public name for these dictionaries, but each handle
#: refers to its own.
HOOKS_OF_ALL = (
    _hooks_of_kind(register_module_forward_hook(lambda *_: None)),
    _hooks_of_kind(register_module_forward_pre_hook(lambda *_: None)),
)


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
    return type(part) is kind and is_unmodified(part)


def is_modified(part: Any) -> bool:
    """Return whether a part has hooks, or a method of it or of its class was replaced."""
    kind = type(part)
    return bool(
        part._forward_hooks
        or part._forward_pre_hooks
        or any(HOOKS_OF_ALL)
        or FORWARDS.get(kind, kind.forward) is not kind.forward
        or any(callable(getattr(kind, name, None)) for name in vars(part))
    )


def is_unmodified(part: Any) -> bool:
    """Return whether a part is as its class made it, and its weights are plain tensors."""
    weights = (weight for weight in part._parameters.values() if weight is not None)
    return not is_modified(part) and all(map(is_plain, weights))
