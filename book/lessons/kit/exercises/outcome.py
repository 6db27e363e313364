"""Call a function and record its outcome as plain data that can be compared and printed."""

import inspect
import linecache
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from lessons.kit.exercises.compare import first_difference
from lessons.kit.exercises.execution import OutOfTime, describe_error, safe_call
from lessons.kit.exercises.pristine import default_settings
from lessons.kit.exercises.snapshot import Snapshot, copy_inputs, take_snapshot

Function = Callable[..., Any]
TensorFunction = Callable[..., Tensor]
Measurement = Callable[[Function, dict[str, Any]], dict[str, Any]]
Measured = dict[str, Snapshot] | str


_NOTHING = Snapshot("")


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call. A field stays empty if the call did not get that far."""

    error: str = ""
    line: str = ""
    answer: Snapshot = _NOTHING
    edited: tuple[str, ...] = ()
    measured: dict[str, Measured] = field(default_factory=dict)
    out_of_time: bool = False


def call(function: Function, inputs: dict[str, Any]) -> Outcome:
    """Call `function` with copies of `inputs` and return the outcome."""
    with default_settings():
        given = copy_inputs(inputs)
    returned, error = safe_call(function, *given.values())
    if error is not None:
        late = isinstance(error, OutOfTime)
        return Outcome(error=describe_error(error), line=_line(function, error), out_of_time=late)
    edited = tuple(
        name
        for name, value in given.items()
        if first_difference(take_snapshot(value), take_snapshot(inputs[name]))
    )
    return Outcome(answer=take_snapshot(returned), edited=edited)


def measure(measurement: Measurement, function: Function, inputs: dict[str, Any]) -> Measured:
    """Return the measured parts of `function`, or the description of an error."""
    with default_settings():
        given = copy_inputs(inputs)
    found, error = safe_call(measurement, function, given)
    return (
        describe_error(error)
        if error
        else {part: take_snapshot(value) for part, value in found.items()}
    )


def returned_nothing(outcome: Outcome) -> bool:
    """Return whether a call returned nothing, or raised the NotImplementedError of a starter."""
    raised = outcome.error.startswith("raised NotImplementedError")
    return raised or outcome.answer.kind in ("NoneType", "ellipsis")


def same_outcome(got: Outcome, other: Outcome, stage: str = "") -> bool:
    """Return whether two outcomes agree at one stage, or at all stages."""
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
    return got.keys() == other.keys() and all(same_value(got[k], other[k]) for k in got)


def same_value(got: Snapshot, other: Snapshot) -> bool:
    """Return whether two snapshots agree, within the tolerance."""
    return first_difference(got, other) is None


def _line(function: Function, error: BaseException) -> str:
    """Return the line of the learner's own function that the exception passed through."""
    code = getattr(function, "__code__", None)
    if not inspect.iscode(code):
        return ""
    passed = [n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code is code]
    if not passed:
        return ""
    source = linecache.getline(code.co_filename, passed[-1]).strip()
    number = passed[-1] - code.co_firstlineno + 1
    return f"line {number} of {code.co_name}: {source}".removesuffix(": ")
