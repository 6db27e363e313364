"""Cases and outcomes as plain JSON, for another process that need not trust who wrote them.

A value is written as what was read from it: [kind, content], and its name where that is another.
No value can name a class or a function to call: what is not plain data is its name alone.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from lessons.kit.exercises.exercise import Case
from lessons.kit.exercises.layers_to_try import LAYERS
from lessons.kit.exercises.outcome import Measured, Outcome
from lessons.kit.exercises.reading import PLAIN, TENSOR, Numbers, Reading, read
from lessons.kit.exercises.shown import safe_repr
from lessons.kit.exercises.tied_model import TiedModel

_LONGEST_TEXT = 100_000  # characters
_LONGEST_WORDS = 400  # characters of what is only shown, such as an error; the rest is left out
_MOST_AXES = 64  # torch has no tensor with more
_DEEPEST = 60  # values within one another
# What is an input and no plain data: one model, and layers that are known by their names.
_MODEL, _LAYER = "TiedModel", "layer"
_DTYPES = {str(v): v for v in vars(torch).values() if isinstance(v, torch.dtype)}


def cases_to_json(cases: Iterable[Case]) -> list[Any]:
    """Write cases, inputs included."""
    return [
        {
            "name": case.name,
            "hidden": case.hidden,
            "inputs": [[name, _written(_read_input(v))] for name, v in case.inputs.items()],
        }
        for case in cases
    ]


def cases_from_json(data: Any) -> tuple[Case, ...]:
    """Read cases again. They come from somebody trusted."""
    return tuple(
        Case(
            case["name"],
            {name: _value(_reading(value)) for name, value in case["inputs"]},
            case["hidden"],
        )
        for case in data
    )


def outcomes_to_json(outcomes: Iterable[Outcome]) -> list[Any]:
    """Write outcomes."""
    return [
        {
            "error": outcome.error,
            "line": outcome.line,
            "answer": _written(outcome.answer),
            "edited": list(outcome.edited),
            "measured": {name: _measured_written(m) for name, m in outcome.measured.items()},
            "out_of_time": outcome.out_of_time,
        }
        for outcome in outcomes
    ]


def outcomes_from_json(data: Any) -> tuple[Outcome, ...]:
    """Read outcomes again, whoever wrote them.

    Raises:
        ValueError: `data` is not what `outcomes_to_json` returns. The message says what is not.
    """
    return tuple(map(_outcome, _typed(data, list, "the outcomes")))


def _outcome(data: Any) -> Outcome:
    data = _typed(data, dict, "an outcome")
    fields = ("error", "line", "answer", "edited", "measured", "out_of_time")
    _must(data.keys() == set(fields), f"an outcome must have the keys {', '.join(fields)}", data)
    measured = _typed(data["measured"], dict, "measured")
    return Outcome(
        error=_words(data["error"], "error"),
        line=_words(data["line"], "line"),
        answer=_reading(data["answer"]),
        edited=tuple(_words(name, "edited") for name in _typed(data["edited"], list, "edited")),
        measured={name: _measured(value) for name, value in measured.items()},
        out_of_time=_typed(data["out_of_time"], bool, "out_of_time"),
    )


def _measured_written(measured: Measured) -> Any:
    if isinstance(measured, str):
        return measured
    return {part: _written(reading) for part, reading in measured.items()}


def _measured(data: Any) -> Measured:
    if isinstance(data, str):
        return _words(data, "what was measured")
    data = _typed(data, dict, "what was measured")
    return {part: _reading(value) for part, value in data.items()}


# Readings


def _written(reading: Reading) -> list[Any]:
    write = _WRITERS.get(reading.kind, lambda content: content)
    content = write(reading.content) if reading.kind in {*PLAIN, _MODEL, _LAYER} else None
    named = [reading.name] if reading.name != reading.kind else []
    return [reading.kind, content, *named]


def _write_tensor(numbers: Numbers) -> list[Any]:
    values = numbers.values and [_write_number(value) for value in numbers.values]
    return [list(numbers.shape), numbers.dtype, None if values is None else list(values)]


def _write_number(value: Any) -> Any:
    """Write a complex number as two, and one that is too long for JSON by its hexadecimals."""
    if isinstance(value, complex):
        return [value.real, value.imag]
    if type(value) is int and value.bit_length() > 64:
        return hex(value)
    return value


def _write_set(content: frozenset[Reading]) -> list[Any]:
    return sorted(map(_written, content), key=repr)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    TENSOR: _write_tensor,
    "int": _write_number,
    "complex": _write_number,
    "bytes": bytes.hex,
    "list": lambda content: [_written(inner) for inner in content],
    "tuple": lambda content: [_written(inner) for inner in content],
    "dict": lambda content: [[_written(key), _written(value)] for key, value in content],
    "set": _write_set,
    "frozenset": _write_set,
    _MODEL: lambda state: _written(state),
}


def _reading(data: Any, depth: int = 0) -> Reading:
    data = _typed(data, list, "a value")
    _must(len(data) in (2, 3) and depth <= _DEEPEST, "a value must be a kind and a content", data)
    kind = _words(data[0], "a kind")
    name = _words(data[-1], "a name") if len(data) == 3 else kind
    if kind in _READERS:
        return Reading(kind, _READERS[kind](data[1], depth + 1), name)
    _must(data[1] is None, f"a value of the kind {kind} must have no content", data[1])
    return Reading(kind, None, name)


def _read_tensor(data: Any, _: int) -> Numbers:
    _must(len(_typed(data, list, "a tensor")) == 3, "a tensor must have three parts", data)
    shape = tuple(_typed(size, int, "a size") for size in _typed(data[0], list, "a shape"))
    _must(len(shape) <= _MOST_AXES, f"a shape must have {_MOST_AXES} sizes at most", "…")
    _must(all(size >= 0 for size in shape), "a shape must have no negative sizes", shape)
    _must(all(size < 1 << 63 for size in shape), "a size must be one that torch can hold", "…")
    dtype = _text(data[1], "a dtype")
    _must(dtype in _DTYPES, "a dtype must be one of torch's", dtype)
    if data[2] is None:
        return Numbers(shape, dtype, None)
    values = _typed(data[2], list, "the numbers of a tensor")
    _must(len(values) == math.prod(shape), f"a tensor {shape} must have so many numbers", values)
    read_number = _number_reader(_DTYPES[dtype])
    return Numbers(shape, dtype, tuple(map(read_number, values)))


def _number_reader(dtype: torch.dtype) -> Callable[[Any], Any]:
    if dtype.is_complex:
        return _read_complex
    if dtype.is_floating_point:
        return lambda value: _typed(value, float, "a number")
    return _read_int if dtype != torch.bool else lambda value: _typed(value, bool, "a truth value")


def _read_complex(data: Any, _: int = 0) -> complex:
    _must(len(_typed(data, list, "a complex number")) == 2, "it must have two parts", data)
    return complex(*(_typed(part, float, "a part") for part in data))


def _read_int(data: Any, _: int = 0) -> int:
    if isinstance(data, str):
        _must(data.lstrip("-").startswith("0x"), "a long number must be hexadecimal", data)
        return int(data, 16)
    return int(_typed(data, int, "a number"))


def _read_items(data: Any, depth: int) -> tuple[Reading, ...]:
    return tuple(_reading(item, depth) for item in _typed(data, list, "the entries"))


def _read_pairs(data: Any, depth: int) -> tuple[tuple[Reading, Reading], ...]:
    pairs = _typed(data, list, "the pairs of a dict")
    _must(all(type(p) is list and len(p) == 2 for p in pairs), "a dict must have pairs", data)
    return tuple((_reading(key, depth), _reading(value, depth)) for key, value in pairs)


_READERS: dict[str, Callable[[Any, int], Any]] = {
    TENSOR: _read_tensor,
    "NoneType": lambda data, _: _typed(data, type(None), "None"),
    "bool": lambda data, _: _typed(data, bool, "a truth value"),
    "int": _read_int,
    "float": lambda data, _: _typed(data, float, "a number"),
    "complex": _read_complex,
    "str": lambda data, _: _text(data, "a text"),
    "bytes": lambda data, _: bytes.fromhex(_text(data, "bytes")),
    "list": _read_items,
    "tuple": _read_items,
    "dict": _read_pairs,
    "set": lambda data, depth: frozenset(_read_items(data, depth)),
    "frozenset": lambda data, depth: frozenset(_read_items(data, depth)),
    _MODEL: _reading,
    _LAYER: lambda data, _: _text(data, "the name of a layer"),
}


# Inputs


def _read_input(value: Any) -> Reading:
    if isinstance(value, TiedModel):
        state = {"table": value.embedding.weight.detach(), "middle": value.middle.weight.detach()}
        return Reading(_MODEL, read(state), _MODEL)
    names = [name for name, layer in LAYERS.items() if layer is value]
    return Reading(_LAYER, names[0], _LAYER) if names else read(value)


def _value(reading: Reading) -> Any:
    """Make of a reading what it was read from."""
    make = _MAKERS.get(reading.kind)
    return make(reading.content) if make else reading.content


def _values(content: Iterable[Reading]) -> Iterable[Any]:
    return map(_value, content)


_MAKERS: dict[str, Callable[[Any], Any]] = {
    TENSOR: lambda n: torch.tensor(n.values, dtype=_DTYPES[n.dtype]).reshape(n.shape),
    "list": lambda content: list(_values(content)),
    "tuple": lambda content: tuple(_values(content)),
    "dict": lambda content: {_value(key): _value(value) for key, value in content},
    "set": lambda content: set(_values(content)),
    "frozenset": lambda content: frozenset(_values(content)),
    _MODEL: lambda state: TiedModel(**_value(state)),
    _LAYER: LAYERS.__getitem__,
}


# What must be


def _typed(value: Any, kind: type, what: str) -> Any:
    """Return a value of exactly this type: True is no int here."""
    _must(type(value) is kind, f"{what} must be of the type {kind.__name__}", value)
    return value


def _text(value: Any, what: str) -> str:
    _typed(value, str, what)
    _must(len(value) <= _LONGEST_TEXT, f"{what} must have {_LONGEST_TEXT} characters at most", "…")
    return str(value)


def _words(value: Any, what: str) -> str:
    return _text(value, what)[:_LONGEST_WORDS]


def _must(good: bool, rule: str, got: object) -> None:
    if not good:
        raise ValueError(f"{rule}, got {safe_repr(got)}")
