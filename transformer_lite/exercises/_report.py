"""The words of a check: plain text, at most 100 columns, the same on every run."""

import textwrap
from collections.abc import Callable
from typing import Any

from transformer_lite.exercises._outcome import Numbers, Outcome, agree

WIDTH = 100


def wrap(*lines: str) -> str:
    """Break lines at `WIDTH` columns; what follows the break is indented."""
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="    ") for line in lines)


def stage_lines(stage: str, got: Outcome, expected: Outcome) -> list[str]:
    """Say what is wrong at one stage of one case."""
    match stage:
        case "error":
            raised = f"Your function raised {got.error}"
            return [raised, f"  at {got.line}"] if got.line else [raised]
        case "kind":
            return [f"Type: it should return a {expected.kind}, but it returned {got.kind}."]
        case "shape":
            return [f"Shape: it should be {expected.shape}, but yours is {got.shape}."]
        case "dtype":
            return [f"dtype: it should be {expected.dtype}, but yours is {got.dtype}."]
        case "edited":
            names = " and ".join(got.edited)
            return [
                f"Your function changed its own input: {names}. Whoever called it still needs it."
            ]
        case "values":
            numbers = Numbers(got.shape, got.values), Numbers(expected.shape, expected.values)
            return difference("output", *numbers, expected.dtype)
    lines = _measured_lines(stage, got.measured[stage], expected.measured[stage], expected.dtype)
    return [f"The output is right, but its {stage} is not.", *lines]


def difference(label: str, got: Numbers, expected: Numbers, dtype: str) -> list[str]:
    """Name the first entry that differs, and show the row that it stands in."""
    pairs = zip(got.values, expected.values, strict=True)
    first = next(i for i, pair in enumerate(pairs) if not agree(*pair, dtype))
    index, text = _index(first, expected.shape), _digits(got.values[first], expected.values[first])
    entry = f"{label}[{', '.join(map(str, index))}]" if index else label
    lines = [
        f"First wrong entry: {entry} should be {text(expected.values[first])}, "
        f"but yours is {text(got.values[first])}."
    ]
    if index:
        start = first - index[-1]
        for whose, numbers in (("its row should be", expected), ("your row is", got)):
            row = numbers.values[start : start + expected.shape[-1]]
            lines.append(f"  {whose:<18} [{', '.join(map(text, row))}]")
    return lines


def _measured_lines(name: str, got: Any, expected: Any, dtype: str) -> list[str]:
    if isinstance(got, str):
        return [f"Computing the {name} raised {got}"]
    part = next(part for part in expected if not agree(got[part], expected[part], dtype))
    if got[part] is None:
        return [f"No {name} reaches {part}."]
    return difference(f"{name} of {part}", got[part], expected[part], dtype)


def _index(position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        position, remainder = divmod(position, size)
        index.append(remainder)
    return tuple(reversed(index))


def _digits(got: Any, expected: Any) -> Callable[[Any], str]:
    """Return a formatter with four decimals, or with as many as it takes to see a difference."""
    return next(
        (text for text in map(_formatter, (4, 8)) if text(got) != text(expected)), _formatter(12)
    )


def _formatter(decimals: int) -> Callable[[Any], str]:
    return lambda value: f"{value:z.{decimals}f}" if isinstance(value, float) else str(value)
