"""Write cases and outcomes as JSON, and read them without trusting the process that wrote them.

A value is written as its snapshot: [kind, content], followed by its name if that is different. JSON
from outside cannot name a class or a function to call: of a value that is not plain data, only the
name is written.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from lessons.kit.exercises.exercise import Case
from lessons.kit.exercises.formatting import safe_repr
from lessons.kit.exercises.outcome import Measured, Outcome
from lessons.kit.exercises.sample_layers import FUNCTIONS
from lessons.kit.exercises.snapshot import PLAIN_TYPES, TENSOR, Snapshot, TensorData, take_snapshot
from lessons.kit.exercises.weight_tying import TiedModel

_MAX_TEXT = 100_000  # characters
_MAX_MESSAGE = 400  # characters of a text that is only printed, such as an error
_MAX_AXES = 64  # torch has no tensor with more
_MAX_DEPTH = 60  # levels of nested values
# Two kinds of inputs that are not plain data: a model, and layers that are known by name.
_MODEL, _LAYER = "TiedModel", "layer"
_DTYPES = {str(v): v for v in vars(torch).values() if isinstance(v, torch.dtype)}


def cases_to_json(cases: Iterable[Case]) -> list[Any]:
    """Return cases and their inputs as JSON data."""
    return [
        {
            "name": case.name,
            "hidden": case.hidden,
            "inputs": [[name, _to_json(_input_snapshot(v))] for name, v in case.inputs.items()],
        }
        for case in cases
    ]


def cases_from_json(data: Any) -> tuple[Case, ...]:
    """Read cases from JSON. Their author must be trusted."""
    return tuple(
        Case(
            case["name"],
            {name: _restore(_from_json(value)) for name, value in case["inputs"]},
            case["hidden"],
        )
        for case in data
    )


def outcomes_to_json(outcomes: Iterable[Outcome]) -> list[Any]:
    """Return outcomes as JSON data."""
    return [
        {
            "error": outcome.error,
            "line": outcome.line,
            "answer": _to_json(outcome.answer),
            "edited": list(outcome.edited),
            "measured": {name: _measured_to_json(m) for name, m in outcome.measured.items()},
            "out_of_time": outcome.out_of_time,
        }
        for outcome in outcomes
    ]


def outcomes_from_json(data: Any) -> tuple[Outcome, ...]:
    """Read outcomes from JSON of any origin.

    Raises:
        ValueError: `data` does not have the form of `outcomes_to_json`. The message says where.
    """
    return tuple(map(_outcome_from_json, _expect(data, list, "the outcomes")))


def _outcome_from_json(data: Any) -> Outcome:
    data = _expect(data, dict, "an outcome")
    fields = ("error", "line", "answer", "edited", "measured", "out_of_time")
    _require(data.keys() == set(fields), f"an outcome must have the keys {', '.join(fields)}", data)
    measured = _expect(data["measured"], dict, "measured")
    return Outcome(
        error=_message(data["error"], "error"),
        line=_message(data["line"], "line"),
        answer=_from_json(data["answer"]),
        edited=tuple(_message(name, "edited") for name in _expect(data["edited"], list, "edited")),
        measured={name: _measured_from_json(value) for name, value in measured.items()},
        out_of_time=_expect(data["out_of_time"], bool, "out_of_time"),
    )


def _measured_to_json(measured: Measured) -> Any:
    if isinstance(measured, str):
        return measured
    return {part: _to_json(snapshot) for part, snapshot in measured.items()}


def _measured_from_json(data: Any) -> Measured:
    if isinstance(data, str):
        return _message(data, "what was measured")
    data = _expect(data, dict, "what was measured")
    return {part: _from_json(value) for part, value in data.items()}


# Snapshots


def _to_json(snapshot: Snapshot) -> list[Any]:
    write = _WRITERS.get(snapshot.kind, lambda content: content)
    content = write(snapshot.content) if snapshot.kind in {*PLAIN_TYPES, _MODEL, _LAYER} else None
    get_exercise = [snapshot.name] if snapshot.name != snapshot.kind else []
    return [snapshot.kind, content, *get_exercise]


def _tensor_to_json(numbers: TensorData) -> list[Any]:
    values = numbers.values and [_number_to_json(value) for value in numbers.values]
    return [list(numbers.shape), numbers.dtype, None if values is None else list(values)]


def _number_to_json(value: Any) -> Any:
    """Write a complex number as a pair, and an int that is too long for JSON as hexadecimal."""
    if isinstance(value, complex):
        return [value.real, value.imag]
    if type(value) is int and value.bit_length() > 64:
        return hex(value)
    return value


def _set_to_json(content: frozenset[Snapshot]) -> list[Any]:
    return sorted(map(_to_json, content), key=repr)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    TENSOR: _tensor_to_json,
    "int": _number_to_json,
    "complex": _number_to_json,
    "bytes": bytes.hex,
    "list": lambda content: [_to_json(inner) for inner in content],
    "tuple": lambda content: [_to_json(inner) for inner in content],
    "dict": lambda content: [[_to_json(key), _to_json(value)] for key, value in content],
    "set": _set_to_json,
    "frozenset": _set_to_json,
    _MODEL: lambda state: _to_json(state),
}


def _from_json(data: Any, depth: int = 0) -> Snapshot:
    data = _expect(data, list, "a value")
    _require(
        len(data) in (2, 3) and depth <= _MAX_DEPTH, "a value must be a kind and a content", data
    )
    kind = _message(data[0], "a kind")
    name = _message(data[-1], "a name") if len(data) == 3 else kind
    if kind in _READERS:
        return Snapshot(kind, _READERS[kind](data[1], depth + 1), name)
    _require(data[1] is None, f"a value of the kind {kind} must have no content", data[1])
    return Snapshot(kind, None, name)


def _tensor_from_json(data: Any, _: int) -> TensorData:
    _require(len(_expect(data, list, "a tensor")) == 3, "a tensor must have three parts", data)
    shape = tuple(_expect(size, int, "a size") for size in _expect(data[0], list, "a shape"))
    _require(len(shape) <= _MAX_AXES, f"a shape must have {_MAX_AXES} sizes at most", "…")
    _require(all(size >= 0 for size in shape), "a shape must have no negative sizes", shape)
    _require(all(size < 1 << 63 for size in shape), "a size must be one that torch can hold", "…")
    dtype = _text(data[1], "a dtype")
    _require(dtype in _DTYPES, "a dtype must be one of torch's", dtype)
    if data[2] is None:
        return TensorData(shape, dtype, None)
    values = _expect(data[2], list, "the numbers of a tensor")
    _require(len(values) == math.prod(shape), f"a tensor {shape} must have so many numbers", values)
    read_number = _number_from_json(_DTYPES[dtype])
    return TensorData(shape, dtype, tuple(map(read_number, values)))


def _number_from_json(dtype: torch.dtype) -> Callable[[Any], Any]:
    if dtype.is_complex:
        return _complex_from_json
    if dtype.is_floating_point:
        return lambda value: _expect(value, float, "a number")
    return (
        _int_from_json
        if dtype != torch.bool
        else lambda value: _expect(value, bool, "a truth value")
    )


def _complex_from_json(data: Any, _: int = 0) -> complex:
    _require(len(_expect(data, list, "a complex number")) == 2, "it must have two parts", data)
    return complex(*(_expect(part, float, "a part") for part in data))


def _int_from_json(data: Any, _: int = 0) -> int:
    if isinstance(data, str):
        _require(data.lstrip("-").startswith("0x"), "a long number must be hexadecimal", data)
        return int(data, 16)
    return int(_expect(data, int, "a number"))


def _items_from_json(data: Any, depth: int) -> tuple[Snapshot, ...]:
    return tuple(_from_json(item, depth) for item in _expect(data, list, "the entries"))


def _pairs_from_json(data: Any, depth: int) -> tuple[tuple[Snapshot, Snapshot], ...]:
    pairs = _expect(data, list, "the pairs of a dict")
    _require(all(type(p) is list and len(p) == 2 for p in pairs), "a dict must have pairs", data)
    return tuple((_from_json(key, depth), _from_json(value, depth)) for key, value in pairs)


_READERS: dict[str, Callable[[Any, int], Any]] = {
    TENSOR: _tensor_from_json,
    "NoneType": lambda data, _: _expect(data, type(None), "None"),
    "bool": lambda data, _: _expect(data, bool, "a truth value"),
    "int": _int_from_json,
    "float": lambda data, _: _expect(data, float, "a number"),
    "complex": _complex_from_json,
    "str": lambda data, _: _text(data, "a text"),
    "bytes": lambda data, _: bytes.fromhex(_text(data, "bytes")),
    "list": _items_from_json,
    "tuple": _items_from_json,
    "dict": _pairs_from_json,
    "set": lambda data, depth: frozenset(_items_from_json(data, depth)),
    "frozenset": lambda data, depth: frozenset(_items_from_json(data, depth)),
    _MODEL: _from_json,
    _LAYER: lambda data, _: _text(data, "the name of a layer"),
}


# Inputs


def _input_snapshot(value: Any) -> Snapshot:
    if isinstance(value, TiedModel):
        state = {"table": value.embedding.weight.detach(), "middle": value.middle.weight.detach()}
        return Snapshot(_MODEL, take_snapshot(state), _MODEL)
    names = [name for name, layer in FUNCTIONS.items() if layer is value]
    return Snapshot(_LAYER, names[0], _LAYER) if names else take_snapshot(value)


def _restore(snapshot: Snapshot) -> Any:
    """Return the value that a snapshot was taken of."""
    make = _MAKERS.get(snapshot.kind)
    return make(snapshot.content) if make else snapshot.content


def _restore_all(content: Iterable[Snapshot]) -> Iterable[Any]:
    return map(_restore, content)


_MAKERS: dict[str, Callable[[Any], Any]] = {
    TENSOR: lambda n: torch.tensor(n.values, dtype=_DTYPES[n.dtype]).reshape(n.shape),
    "list": lambda content: list(_restore_all(content)),
    "tuple": lambda content: tuple(_restore_all(content)),
    "dict": lambda content: {_restore(key): _restore(value) for key, value in content},
    "set": lambda content: set(_restore_all(content)),
    "frozenset": lambda content: frozenset(_restore_all(content)),
    _MODEL: lambda state: TiedModel(**_restore(state)),
    _LAYER: FUNCTIONS.__getitem__,
}


# Validation


def _expect(value: Any, kind: type, what: str) -> Any:
    """Return the value if it has exactly this type: True is not an int here."""
    _require(type(value) is kind, f"{what} must be of the type {kind.__name__}", value)
    return value


def _text(value: Any, what: str) -> str:
    _expect(value, str, what)
    _require(len(value) <= _MAX_TEXT, f"{what} must have {_MAX_TEXT} characters at most", "…")
    return str(value)


def _message(value: Any, what: str) -> str:
    return _text(value, what)[:_MAX_MESSAGE]


def _require(good: bool, rule: str, got: object) -> None:
    if not good:
        raise ValueError(f"{rule}, got {safe_repr(got)}")
