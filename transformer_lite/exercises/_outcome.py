"""What one call of a function did, as plain Python data that can be compared and printed.

No tensor is compared with another tensor here. Numbers are read once, through methods kept from
the moment this file was loaded, and compared one by one: a name replaced in torch by a notebook
cannot turn a wrong answer into a right one, and nothing broadcasts.
"""

import inspect
import linecache
import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from torch import Tensor

_clone, _size, _tolist = Tensor.clone, Tensor.size, Tensor.tolist

# Wide enough for another order of the same operations, narrow against any real mistake.
TOLERANCE = {"torch.float32": 1e-4, "torch.float64": 1e-8}


class Numbers(NamedTuple):
    """The contents of a tensor."""

    shape: tuple[int, ...]
    values: tuple


@dataclass(frozen=True)
class Outcome:
    """What one call did. Each field stays empty when the call did not get that far."""

    error: str = ""
    line: str = ""
    kind: str = ""
    shape: tuple[int, ...] = ()
    dtype: str = ""
    edited: tuple[str, ...] = ()
    values: tuple = ()
    measured: dict[str, Any] = field(default_factory=dict)

    @property
    def is_stub(self) -> bool:
        """Whether the function looks as if nobody had written it yet."""
        # The line, because torch raises NotImplementedError too.
        raised = self.error == "NotImplementedError" or "raise NotImplementedError" in self.line
        return raised or self.kind in ("NoneType", "ellipsis")

    def at(self, stage: str) -> Any:
        """Return what there is to compare at one stage: a field, or something measured."""
        return self.measured[stage] if stage in self.measured else getattr(self, stage)


def call(function: Callable, inputs: dict[str, Any]) -> Outcome:
    """Call `function` with copies of `inputs` and record what it did."""
    given = copies(inputs)
    try:
        answer = function(*given.values())
        kind = _kind(answer)
        numbers = read(answer) if type(answer) is Tensor else Numbers((), ())
    except Exception as error:
        return Outcome(error=describe(error), line=_line(function, error))
    edited = tuple(name for name, value in given.items() if _plain(value) != _plain(inputs[name]))
    dtype = str(getattr(answer, "dtype", ""))
    return Outcome("", "", kind, numbers.shape, dtype, edited, numbers.values)


def copies(inputs: dict[str, Any]) -> dict[str, Any]:
    """Copy every tensor, so that whoever gets them may do as they like."""
    return {k: _clone(v) if isinstance(v, Tensor) else v for k, v in inputs.items()}


def read(tensor: Tensor) -> Numbers:
    """Read the shape and the numbers of a tensor, row after row."""
    return Numbers(tuple(_size(tensor)), tuple(_flat(_tolist(tensor))))


def describe(error: Exception) -> str:
    """Name an exception: its type and the first line of what it says."""
    text = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def measure(
    measurement: Callable, function: Callable, inputs: dict[str, Any]
) -> dict[str, Numbers | None] | str:
    """Measure something on `function`: the numbers of each part, or the exception it raised."""
    try:
        found = measurement(function, copies(inputs))
        return {part: None if tensor is None else read(tensor) for part, tensor in found.items()}
    except Exception as error:
        return describe(error)


def alike(got: Outcome, other: Outcome, stage: str = "") -> bool:
    """Say whether two calls did the same at one stage, or at all of them."""
    if stage:
        return agree(got.at(stage), other.at(stage), other.dtype)
    whole = replace(got, line=""), replace(other, line="")
    return agree(*(vars(outcome) for outcome in whole), other.dtype)


def agree(got: Any, other: Any, dtype: str) -> bool:
    """Compare plain data. Finite floats may differ by a little; NaN agrees with NaN."""
    if type(got) is not type(other):
        return False
    if isinstance(got, float):
        if math.isnan(got) or math.isnan(other):
            return math.isnan(got) and math.isnan(other)
        if math.isinf(other):  # any finite number would be within a tolerance that grows with it
            return got == other
        return got == other or abs(got - other) <= TOLERANCE.get(dtype, 0) * (1 + abs(other))
    if isinstance(got, tuple):
        return len(got) == len(other) and all(
            agree(*pair, dtype) for pair in zip(got, other, strict=True)
        )
    if isinstance(got, dict):
        return got.keys() == other.keys() and all(agree(got[k], other[k], dtype) for k in got)
    return got == other


def _plain(value: Any) -> Any:
    return read(value) if isinstance(value, Tensor) else value


def _flat(nested: Any):
    if isinstance(nested, list):
        for inner in nested:
            yield from _flat(inner)
    else:
        yield nested


def _kind(answer: object) -> str:
    kind = type(answer)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _line(function: Callable, error: Exception) -> str:
    """Find the line of the learner's own function that the exception passed through."""
    code = getattr(function, "__code__", None)
    if not inspect.iscode(code):
        return ""
    passed = [n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code is code]
    if not passed:
        return ""
    source = linecache.getline(code.co_filename, passed[-1]).strip()
    number = passed[-1] - code.co_firstlineno + 1
    return f"line {number} of {code.co_name}: {source}".removesuffix(": ")
