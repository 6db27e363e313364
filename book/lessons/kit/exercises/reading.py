"""Read an answer into plain data of our own, which can be compared and printed safely.

What a learner returns is never asked anything. Tensors are read through methods kept from the
moment this file was loaded, and lists, dicts and the like through the methods of the built-in
type: neither a name replaced in torch by a notebook nor a class with an `__eq__` of its own can
turn a wrong answer into a right one.
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
#: Of a tensor with more numbers only the shape is read, and a list ends after so many entries.
MANY = 100_000
TENSOR = "torch.Tensor"


class Numbers(NamedTuple):
    """The contents of a tensor; the values are None where there are too many."""

    shape: tuple[int, ...]
    dtype: str
    values: tuple[Any, ...] | None


@dataclass(frozen=True)
class Reading:
    """What was read from a value.

    Args:
        kind: the plain type that the value is an instance of, such as "dict" for a Counter; for
            anything that is neither plain nor a tensor, the name of its type.
        content: a number or text as it is; a tuple of readings for a sequence, of pairs for a
            dict; a frozenset of readings for a set; Numbers for a tensor.
        name: the name of its type.
    """

    kind: str
    content: Any = None
    name: str = field(default="", compare=False)

    @property
    def is_container(self) -> bool:
        """Whether it holds other readings."""
        return self.kind in ("list", "tuple", "dict", "set", "frozenset")


_Memo = dict[int, Reading]


def read(value: object) -> Reading:
    """Read a value, with all that it holds.

    What is not plain, contains itself, is nested without end or far too long is read as its name
    alone.
    """
    return _read(value, {}, 0)


def _read(value: object, memo: _Memo, depth: int) -> Reading:
    found = type(value)
    if found is Tensor or found is torch.nn.Parameter:  # a parameter is a tensor that is trained
        return _read_tensor(value)
    if issubclass(found, np.generic):  # numpy's own numbers pass for Python's
        value = np.generic.item(cast("np.generic[Any]", value))
        found = type(value)
    for plain, exact in _SCALARS.items():
        if issubclass(found, plain):
            return Reading(plain.__name__, exact(value), type_name(value))
    for plain, contents in _CONTAINERS.items():
        if issubclass(found, plain):
            return _read_container(value, plain, contents, memo, depth)
    return _named(type_name(value))


def _named(name: str) -> Reading:
    return Reading(name, None, name)


def _read_tensor(tensor: Any) -> Reading:
    """Read the numbers of a tensor that has them; of any other kind only the name of the kind."""
    if tensor.is_nested:
        return _named("nested tensor")
    if tensor.layout is not torch.strided:
        return _named("sparse tensor")
    if tensor.is_meta:
        return _named("tensor without numbers, on the device meta")
    if tensor.is_quantized:
        return _named("quantized tensor")
    shape = tuple(_size(tensor))
    few = math.prod(shape) <= MANY
    values = tuple(_flat(_tolist(tensor))) if few else None
    return Reading(TENSOR, Numbers(shape, str(tensor.dtype), values), TENSOR)


def _read_container(
    value: object, plain: type, contents: Callable[..., Any], memo: _Memo, depth: int
) -> Reading:
    kind = plain.__name__
    if depth > _MAX_DEPTH:
        return _named(f"{kind} nested too deeply")
    if _lengths[plain](value) + len(memo) > MANY:
        return _named(f"{kind} with too many entries")
    if id(value) not in memo:
        memo[id(value)] = _named(f"{kind} that contains itself")  # found by whatever lies inside
        inner = contents(value, lambda item: _read(item, memo, depth + 1))
        memo[id(value)] = Reading(kind, inner, type_name(value))
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

_CONTAINERS: dict[type, Callable[[Any, Callable[[object], Reading]], Any]] = {
    list: lambda value, inner: tuple(map(inner, list.__iter__(value))),
    tuple: lambda value, inner: tuple(map(inner, tuple.__iter__(value))),
    dict: lambda value, inner: tuple((inner(k), inner(v)) for k, v in dict.items(value)),
    set: lambda value, inner: frozenset(map(inner, set.__iter__(value))),
    frozenset: lambda value, inner: frozenset(map(inner, frozenset.__iter__(value))),
}

_lengths: dict[type, Callable[[Any], int]] = {
    plain: plain.__len__ for plain in (list, tuple, dict, set, frozenset)
}

PLAIN = {plain.__name__ for plain in (*_SCALARS, *_CONTAINERS)} | {TENSOR}


def unreadable(reading: Reading) -> str:
    """Name the first thing inside that cannot be compared; an empty text means none."""
    if reading.kind not in PLAIN:
        return reading.kind
    if reading.kind == TENSOR and reading.content.values is None:
        return f"a tensor of more than {MANY} numbers"
    return next(filter(None, map(unreadable, _inner(reading))), "")


def _inner(reading: Reading) -> Iterable[Reading]:
    if reading.kind == "dict":
        return [part for pair in reading.content for part in pair]
    return reading.content if reading.is_container else ()


def type_name(value: object) -> str:
    """Name a type as a learner would write it: with its module, unless it is built in."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def copies(inputs: dict[str, Any]) -> dict[str, Any]:
    """Copy the inputs of a case, so that whoever gets them may do as they like."""
    return {name: _copied(value) for name, value in inputs.items()}


def _copied(value: Any) -> Any:
    """Copy tensors, modules and plain containers, however deep; all else stays the same object.

    What two parts of a module share, their copies share as well.
    """
    if isinstance(value, Tensor):
        return _clone(value)
    if isinstance(value, torch.nn.Module):
        return copy.deepcopy(value)
    if type(value) is dict:
        return {key: _copied(inner) for key, inner in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(map(_copied, value))
    return value


def _flat(nested: Any) -> Iterator[Any]:
    if isinstance(nested, list):
        for inner in nested:
            yield from _flat(inner)
    else:
        yield nested
