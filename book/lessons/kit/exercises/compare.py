"""Find where two snapshots differ. Each difference has a path and a stage.

The stages are those of a check: "kind" (types), "shape" (of tensors; the length of a list, the
keys of a dict), "dtype", "values". The rules of the comparison:

- Types must agree, and True is not 1. An int is accepted for a float, as everywhere in Python; a
  float is not accepted for an int, so 2.0 is not a count.
- Floats agree within a tolerance, and NaN agrees with NaN. Keys and elements of sets are exact.
- The order of a dict does not count; that of a list does.
- A subclass, such as a Counter, is accepted for its plain type if its contents are right. Lists and
  tuples are accepted for each other, and so are a number and a tensor without axes.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lessons.kit.exercises.formatting import format_snapshot
from lessons.kit.exercises.snapshot import TENSOR, Snapshot, take_snapshot

# Wide enough for another order of the same operations and for a constant in float32, and too
# narrow for any real mistake.
_TOLERANCE = {"torch.float32": 1e-4, "torch.float64": 1e-6}
_PRECISE = 1e-10  # what float64 keeps where nothing on the way was float32
_FLOAT_TOLERANCE = 1e-6  # a Python float may have come out of a tensor of float32


@dataclass(frozen=True)
class Difference:
    """One difference between two snapshots.

    Args:
        stage: the stage of a check that finds it.
        path: the position, as a reader would write it: "output['the'][2]".
        got: the value there.
        expected: the value that should be there.
        index: for a list, its first entry that differs.
        parent: the two lists that contain the values directly, and the index; None without them.
    """

    stage: str
    path: str
    got: Snapshot
    expected: Snapshot
    index: int = 0
    parent: "Difference | None" = None


def first_difference(
    got: Snapshot, expected: Snapshot, stage: str = "", path: str = "output"
) -> Difference | None:
    """Return the first difference, of one stage or of any; None if there is none."""
    return next((d for d in differences(got, expected, path) if stage in ("", d.stage)), None)


def differences(got: Snapshot, expected: Snapshot, path: str) -> Iterator[Difference]:
    """Go through two snapshots together and yield their differences."""
    tolerance = _FLOAT_TOLERANCE
    if _is_one_number(got) and expected.kind in ("bool", "int", "float"):
        got = take_snapshot(got.content.values[0])
    elif got.kind in ("int", "float") and _is_one_number(expected):
        tolerance = _TOLERANCE.get(expected.content.dtype, 0)
        expected = take_snapshot(expected.content.values[0])
    if got.kind != expected.kind and (got.kind, expected.kind) not in _EXCHANGEABLE:
        yield Difference("kind", path, got, expected)
    elif expected.kind in _COMPARISONS:
        yield from _COMPARISONS[expected.kind](got, expected, path)
    elif not close(got.content, expected.content, tolerance):
        yield Difference("values", path, got, expected)


_EXCHANGEABLE = {("int", "float"), ("list", "tuple"), ("tuple", "list")}


def _is_one_number(snapshot: Snapshot) -> bool:
    return snapshot.kind == TENSOR and snapshot.content.shape == ()


def _tensors(got: Snapshot, expected: Snapshot, path: str) -> Iterator[Difference]:
    ours, theirs = got.content, expected.content
    if ours.shape != theirs.shape:
        yield Difference("shape", path, got, expected)
    if ours.dtype != theirs.dtype:
        yield Difference("dtype", path, got, expected)
    elif ours.shape == theirs.shape and next(wrong_numbers(got, expected), None) is not None:
        yield Difference("values", path, got, expected)


def _sequences(got: Snapshot, expected: Snapshot, path: str) -> Iterator[Difference]:
    pairs = list(zip(got.content, expected.content, strict=False))
    if len(got.content) != len(expected.content):
        unlike = (i for i, pair in enumerate(pairs) if first_difference(*pair))
        yield Difference("shape", path, got, expected, next(unlike, len(pairs)))
        return
    for index, pair in enumerate(pairs):
        for found in differences(*pair, f"{path}[{index}]"):
            direct = found.expected is pair[1] and found.stage == "values"
            parent = Difference("values", path, got, expected, index)
            yield replace(found, parent=parent) if direct else found


def _dicts(got: Snapshot, expected: Snapshot, path: str) -> Iterator[Difference]:
    ours, theirs = dict(got.content), dict(expected.content)
    if ours.keys() != theirs.keys():
        yield Difference("shape", path, got, expected)
        return
    for key, value in theirs.items():
        yield from differences(ours[key], value, f"{path}[{format_snapshot(key)}]")


def _sets(got: Snapshot, expected: Snapshot, path: str) -> Iterator[Difference]:
    if got.content != expected.content:
        yield Difference("values", path, got, expected)


_COMPARISONS: dict[str, Callable[[Snapshot, Snapshot, str], Iterator[Difference]]] = {
    TENSOR: _tensors,
    "list": _sequences,
    "tuple": _sequences,
    "dict": _dicts,
    "set": _sets,
    "frozenset": _sets,
}


def wrong_numbers(got: Snapshot, expected: Snapshot) -> Iterator[int]:
    """Yield the positions of the numbers that differ in two tensors of one shape."""
    return _apart(got, expected, _TOLERANCE.get(expected.content.dtype, 0))


def loses_precision(got: Snapshot, expected: Snapshot) -> bool:
    """Return whether float64 numbers that agree do so only as closely as float32 allows."""
    both = got.kind == expected.kind == TENSOR
    double = both and expected.content.dtype == "torch.float64"
    return double and next(_apart(got, expected, _PRECISE), None) is not None


def _apart(got: Snapshot, expected: Snapshot, tolerance: float) -> Iterator[int]:
    ours, theirs = got.content.values, expected.content.values
    if ours is None or theirs is None:  # too many to be read
        return iter(()) if ours is theirs else iter((0,))
    pairs = zip(ours, theirs, strict=True)
    return (i for i, pair in enumerate(pairs) if not close(*pair, tolerance))


def close(got: Any, expected: Any, tolerance: float) -> bool:
    """Compare two numbers or texts. Finite floats may differ by a little; NaN agrees with NaN."""
    if not isinstance(expected, float):
        return bool(got == expected)
    if math.isnan(expected):
        return isinstance(got, float) and math.isnan(got)
    if got == expected:
        return True
    # A tolerance relative to infinity would accept any number; a huge int fits no float.
    if math.isinf(expected) or abs(got) > sys.float_info.max:
        return False
    return bool(abs(got - expected) <= tolerance * (1 + abs(expected)))
