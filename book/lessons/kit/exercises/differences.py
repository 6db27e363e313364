"""Where two readings differ: one after the other, each with its place and its stage.

The stages are those of a check: "kind" (types), "shape" (of tensors; the length of a list, the
keys of a dict), "dtype", "values". What is compared how:

- Types must agree, and True is not 1. An int may stand where a float belongs, as everywhere in
  Python; a float never stands for an int, so 2.0 is no count.
- Floats agree within a tolerance, and NaN agrees with NaN. As keys and in sets they are exact.
- The order of a dict does not count; that of a list does.
- A subclass, such as a Counter, passes for its plain type if it holds the right things; a list
  passes for a tuple and a tuple for a list; a tensor of no axes for the number that it holds, and
  such a number for the tensor.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lessons.kit.exercises.reading import TENSOR, Reading, read
from lessons.kit.exercises.shown import shown

# Wide enough for another order of the same operations and for a constant in float32, narrow
# against any real mistake.
_TOLERANCE = {"torch.float32": 1e-4, "torch.float64": 1e-6}
_PRECISE = 1e-10  # what float64 keeps where nothing on the way was float32
_FLOAT_TOLERANCE = 1e-6  # a Python float may have come out of a tensor of float32


@dataclass(frozen=True)
class Difference:
    """One place where two readings differ.

    Args:
        stage: the stage of a check that finds it.
        path: the place, as a reader would write it: "output['the'][2]".
        got: what was found there.
        expected: what should be there.
        index: for a list, its first entry that differs.
        around: the lists that hold the two, and the index; None where no list directly does.
    """

    stage: str
    path: str
    got: Reading
    expected: Reading
    index: int = 0
    around: "Difference | None" = None


def first_difference(
    got: Reading, expected: Reading, stage: str = "", path: str = "output"
) -> Difference | None:
    """Return the first difference, of one stage or of any; None if there is none."""
    return next((d for d in differences(got, expected, path) if stage in ("", d.stage)), None)


def differences(got: Reading, expected: Reading, path: str) -> Iterator[Difference]:
    """Go through two readings side by side and yield where they differ."""
    tolerance = _FLOAT_TOLERANCE
    if _is_one_number(got) and expected.kind in ("bool", "int", "float"):
        got = read(got.content.values[0])
    elif got.kind in ("int", "float") and _is_one_number(expected):
        tolerance = _TOLERANCE.get(expected.content.dtype, 0)
        expected = read(expected.content.values[0])
    if got.kind != expected.kind and (got.kind, expected.kind) not in _EXCHANGEABLE:
        yield Difference("kind", path, got, expected)
    elif expected.kind in _COMPARISONS:
        yield from _COMPARISONS[expected.kind](got, expected, path)
    elif not close(got.content, expected.content, tolerance):
        yield Difference("values", path, got, expected)


_EXCHANGEABLE = {("int", "float"), ("list", "tuple"), ("tuple", "list")}


def _is_one_number(reading: Reading) -> bool:
    return reading.kind == TENSOR and reading.content.shape == ()


def _tensors(got: Reading, expected: Reading, path: str) -> Iterator[Difference]:
    ours, theirs = got.content, expected.content
    if ours.shape != theirs.shape:
        yield Difference("shape", path, got, expected)
    if ours.dtype != theirs.dtype:
        yield Difference("dtype", path, got, expected)
    elif ours.shape == theirs.shape and next(wrong_numbers(got, expected), None) is not None:
        yield Difference("values", path, got, expected)


def _sequences(got: Reading, expected: Reading, path: str) -> Iterator[Difference]:
    pairs = list(zip(got.content, expected.content, strict=False))
    if len(got.content) != len(expected.content):
        unlike = (i for i, pair in enumerate(pairs) if first_difference(*pair))
        yield Difference("shape", path, got, expected, next(unlike, len(pairs)))
        return
    for index, pair in enumerate(pairs):
        for found in differences(*pair, f"{path}[{index}]"):
            direct = found.expected is pair[1] and found.stage == "values"
            around = Difference("values", path, got, expected, index)
            yield replace(found, around=around) if direct else found


def _dicts(got: Reading, expected: Reading, path: str) -> Iterator[Difference]:
    ours, theirs = dict(got.content), dict(expected.content)
    if ours.keys() != theirs.keys():
        yield Difference("shape", path, got, expected)
        return
    for key, value in theirs.items():
        yield from differences(ours[key], value, f"{path}[{shown(key)}]")


def _sets(got: Reading, expected: Reading, path: str) -> Iterator[Difference]:
    if got.content != expected.content:
        yield Difference("values", path, got, expected)


_COMPARISONS: dict[str, Callable[[Reading, Reading, str], Iterator[Difference]]] = {
    TENSOR: _tensors,
    "list": _sequences,
    "tuple": _sequences,
    "dict": _dicts,
    "set": _sets,
    "frozenset": _sets,
}


def wrong_numbers(got: Reading, expected: Reading) -> Iterator[int]:
    """Yield the positions of the numbers that differ in two tensors of one shape."""
    return _apart(got, expected, _TOLERANCE.get(expected.content.dtype, 0))


def loses_precision(got: Reading, expected: Reading) -> bool:
    """Return whether float64 numbers that agree do so only as closely as float32 allows."""
    both = got.kind == expected.kind == TENSOR
    double = both and expected.content.dtype == "torch.float64"
    return double and next(_apart(got, expected, _PRECISE), None) is not None


def _apart(got: Reading, expected: Reading, tolerance: float) -> Iterator[int]:
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
    # A tolerance that grows with infinity has room for any number; a huge int fits no float.
    if math.isinf(expected) or abs(got) > sys.float_info.max:
        return False
    return bool(abs(got - expected) <= tolerance * (1 + abs(expected)))
