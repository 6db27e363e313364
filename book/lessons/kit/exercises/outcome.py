"""What one call of a function did, as plain data that can be compared and printed."""

import inspect
import linecache
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from lessons.kit.exercises.as_found import usual_settings
from lessons.kit.exercises.calling import OutOfTime, attempt, describe
from lessons.kit.exercises.differences import first_difference
from lessons.kit.exercises.reading import Reading, copies, read

Function = Callable[..., Any]
TensorFunction = Callable[..., Tensor]
Measurement = Callable[[Function, dict[str, Any]], dict[str, Any]]
Measured = dict[str, Reading] | str


_NOTHING = Reading("")


@dataclass(frozen=True)
class Outcome:
    """What one call did. Each field stays empty when the call did not get that far."""

    error: str = ""
    line: str = ""
    answer: Reading = _NOTHING
    edited: tuple[str, ...] = ()
    measured: dict[str, Measured] = field(default_factory=dict)
    out_of_time: bool = False


def call(function: Function, inputs: dict[str, Any]) -> Outcome:
    """Call `function` with copies of `inputs` and record what it did."""
    with usual_settings():
        given = copies(inputs)
    returned, error = attempt(function, *given.values())
    if error is not None:
        late = isinstance(error, OutOfTime)
        return Outcome(error=describe(error), line=_line(function, error), out_of_time=late)
    edited = tuple(
        name for name, value in given.items() if first_difference(read(value), read(inputs[name]))
    )
    return Outcome(answer=read(returned), edited=edited)


def measure(measurement: Measurement, function: Function, inputs: dict[str, Any]) -> Measured:
    """Measure something on `function`: the numbers of each part, or what it raised."""
    with usual_settings():
        given = copies(inputs)
    found, error = attempt(measurement, function, given)
    return describe(error) if error else {part: read(value) for part, value in found.items()}


def is_nothing(outcome: Outcome) -> bool:
    """Return whether a call gave nothing, or only raised what starters raise."""
    raised = outcome.error.startswith("raised NotImplementedError")
    return raised or outcome.answer.kind in ("NoneType", "ellipsis")


def alike(got: Outcome, other: Outcome, stage: str = "") -> bool:
    """Return whether two calls did the same at one stage, or at all of them."""
    if stage in ("error", "edited"):
        return bool(getattr(got, stage) == getattr(other, stage))
    if stage in other.measured:
        return _measured_alike(got.measured[stage], other.measured[stage])
    if stage:
        return first_difference(got.answer, other.answer, stage) is None
    return (
        (got.error, got.edited) == (other.error, other.edited)
        and first_difference(got.answer, other.answer) is None
        and got.measured.keys() == other.measured.keys()
        and all(_measured_alike(got.measured[k], other.measured[k]) for k in got.measured)
    )


def _measured_alike(got: Measured, other: Measured) -> bool:
    if isinstance(got, str) or isinstance(other, str):
        return got == other
    return got.keys() == other.keys() and all(parts_alike(got[k], other[k]) for k in got)


def parts_alike(got: Reading, other: Reading) -> bool:
    """Return whether one part of a measurement is the same."""
    return first_difference(got, other) is None


def _line(function: Function, error: BaseException) -> str:
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
