"""Copy an answer into plain data of our own, which can be compared and printed safely.

No method that a learner has written is called. Tensors are read through methods that this file
kept when it was loaded, and lists, dicts and the like through the methods of the built-in type.
So neither a replaced function of torch nor a class with its own `__eq__` can turn a wrong answer
into a right one.
"""

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

_clone, _size, _tolist = Tensor.clone, Tensor.size, Tensor.tolist

_MAX_DEPTH = 50
#: The largest size of a tensor whose numbers are read, and of a list that is read.
MAX_ITEMS = 100_000
TENSOR = "torch.Tensor"


class TensorData(NamedTuple):
    """The contents of a tensor; `values` is None if there are more than `MAX_ITEMS`."""

    shape: tuple[int, ...]
    dtype: str
    values: tuple[Any, ...] | None


@dataclass(frozen=True)
class Snapshot:
    """A plain copy of a value.

    Args:
        kind: the plain type that the value is an instance of, such as "dict" for a Counter; for
            a value that is neither plain nor a tensor, the name of its type.
        content: a number or text itself; a tuple of snapshots for a sequence, of pairs for a
            dict; a frozenset of snapshots for a set; TensorData for a tensor.
        name: the name of its type.
    """

    kind: str
    content: Any = None
    name: str = field(default="", compare=False)

    @property
    def is_container(self) -> bool:
        """Whether the content consists of other snapshots."""
        return self.kind in ("list", "tuple", "dict", "set", "frozenset")


_Memo = dict[int, Snapshot]


def take_snapshot(value: object) -> Snapshot:
    """Return a snapshot of a value and of everything in it.

    A value that is not plain data, contains itself, or is nested too deeply or far too long gets
    a snapshot with only a name.
    """
    return _snapshot_of(value, {}, 0)


def _snapshot_of(value: object, memo: _Memo, depth: int) -> Snapshot:
    found = type(value)
    if found is Tensor or found is torch.nn.Parameter:  # a parameter is a tensor that is trained
        return _tensor_snapshot(value)
    if issubclass(found, np.generic):  # numpy's own numbers pass for Python's
        value = np.generic.item(cast("np.generic[Any]", value))
        found = type(value)
    for plain, exact in _SCALARS.items():
        if issubclass(found, plain):
            return Snapshot(plain.__name__, exact(value), type_name(value))
    for plain, contents in _CONTAINERS.items():
        if issubclass(found, plain):
            return _container_snapshot(value, plain, contents, memo, depth)
    return _named(type_name(value))


def _named(name: str) -> Snapshot:
    return Snapshot(name, None, name)


def _tensor_snapshot(tensor: Any) -> Snapshot:
    """Return the snapshot of a dense tensor; of any other kind of tensor, only its name."""
    if tensor.is_nested:
        return _named("nested tensor")
    if tensor.layout is not torch.strided:
        return _named("sparse tensor")
    if tensor.is_meta:
        return _named("tensor without numbers, on the device meta")
    if tensor.is_quantized:
        return _named("quantized tensor")
    shape = tuple(_size(tensor))
    few = math.prod(shape) <= MAX_ITEMS
    values = tuple(_flat(_tolist(tensor))) if few else None
    return Snapshot(TENSOR, TensorData(shape, str(tensor.dtype), values), TENSOR)


def _container_snapshot(
    value: object, plain: type, contents: Callable[..., Any], memo: _Memo, depth: int
) -> Snapshot:
    kind = plain.__name__
    if depth > _MAX_DEPTH:
        return _named(f"{kind} nested too deeply")
    if _lengths[plain](value) + len(memo) > MAX_ITEMS:
        return _named(f"{kind} with too many entries")
    if id(value) not in memo:
        memo[id(value)] = _named(f"{kind} that contains itself")  # what a cycle finds
        inner = contents(value, lambda item: _snapshot_of(item, memo, depth + 1))
        memo[id(value)] = Snapshot(kind, inner, type_name(value))
    return memo[id(value)]


# The methods of the built-in types give exact instances, whatever a subclass defines.
_SCALARS: dict[type, Callable[[Any], Any]] = {
    type(None): lambda value: None,
    bool: bool,
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
}

_CONTAINERS: dict[type, Callable[[Any, Callable[[object], Snapshot]], Any]] = {
    list: lambda value, inner: tuple(map(inner, list.__iter__(value))),
    tuple: lambda value, inner: tuple(map(inner, tuple.__iter__(value))),
    dict: lambda value, inner: tuple((inner(k), inner(v)) for k, v in dict.items(value)),
    set: lambda value, inner: frozenset(map(inner, set.__iter__(value))),
    frozenset: lambda value, inner: frozenset(map(inner, frozenset.__iter__(value))),
}

_lengths: dict[type, Callable[[Any], int]] = {
    plain: plain.__len__ for plain in (list, tuple, dict, set, frozenset)
}

PLAIN_TYPES = {plain.__name__ for plain in (*_SCALARS, *_CONTAINERS)} | {TENSOR}


def unsupported_type(snapshot: Snapshot) -> str:
    """Return the name of the first value inside that cannot be compared, or an empty text."""
    if snapshot.kind not in PLAIN_TYPES:
        return snapshot.kind
    if snapshot.kind == TENSOR and snapshot.content.values is None:
        return f"a tensor of more than {MAX_ITEMS} numbers"
    return next(filter(None, map(unsupported_type, _inner(snapshot))), "")


def _inner(snapshot: Snapshot) -> Iterable[Snapshot]:
    if snapshot.kind == "dict":
        return [part for pair in snapshot.content for part in pair]
    return snapshot.content if snapshot.is_container else ()


def type_name(value: object) -> str:
    """Return the name of a type as a learner would write it: with its module, unless built in."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def copy_inputs(inputs: dict[str, Any]) -> dict[str, Any]:
    """Copy the inputs of a case, so a function may change them."""
    return {name: _copy(value) for name, value in inputs.items()}


def _copy(value: Any) -> Any:
    """Copy tensors, modules and plain containers at any depth; keep other objects.

    If two parts of a module share a parameter, so do their copies.
    """
    if isinstance(value, Tensor):
        return _clone(value)
    if isinstance(value, torch.nn.Module):
        return copy.deepcopy(value)
    if type(value) is dict:
        return {key: _copy(inner) for key, inner in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(map(_copy, value))
    return value


def _flat(nested: Any) -> Iterator[Any]:
    if isinstance(nested, list):
        for inner in nested:
            yield from _flat(inner)
    else:
        yield nested
