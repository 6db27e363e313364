"""Validate the traits of figures: each function yields messages about what is wrong."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any


def trait_problems(name: str, value: Any, tag: Mapping[str, Any]) -> Iterator[str]:
    """Check a value against the tag of its trait.

    `options` lists the values, `limits` bounds numbers, `count` the length of a list, `letters`
    that of a text, and `below` is the number of items that an index refers to.
    """
    if "letters" in tag:
        yield from count_of(f"the letters of {name}", value, tag["letters"])
    if "count" in tag:
        yield from count_of(name, value, tag["count"])
    if "limits" in tag:
        yield from between(name, value, tag["limits"])
    if "options" in tag:
        yield from one_of(name, value, tag["options"])
    if "below" in tag:
        yield from index_of(name, value, tag["below"])


def between(name: str, numbers: Any, limits: Mapping[str, float]) -> Iterator[str]:
    """Require a number, or all in a list, from limits["min"] to limits["max"]; NaN is refused."""
    if isinstance(numbers, Sequence):
        for x in numbers:
            yield from between(name, x, limits)
    elif not limits["min"] <= numbers <= limits["max"]:
        low, high = limits["min"], limits["max"]
        yield f"{name} must lie between {low:g} and {high:g}, got {numbers}"


def count_of(name: str, items: Sequence[object], limits: Mapping[str, int]) -> Iterator[str]:
    """Require a number of items within the limits."""
    low, high = limits["min"], limits["max"]
    if not low <= len(items) <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        yield f"{name} must have {wanted} entries, got {len(items)}"


def same_length(**lists: Sequence[object]) -> Iterator[str]:
    """Require lists of the same length."""
    counts = [str(len(items)) for items in lists.values()]
    if len(set(counts)) != 1:
        yield f"{_listed([*lists])} must be equally many, got {_listed(counts)}"


def same_width(
    name: str, rows: Iterable[Sequence[object]], low: int = 1, high: int | None = None
) -> Iterator[str]:
    """Require at least one row, and rows of the same length from `low` to `high`."""
    widths = sorted({len(row) for row in rows})
    if len(widths) == 1 and low <= widths[0] <= (high or widths[0]):
        return
    limits = f"one length from {low} to {high}" if high else f"one length of at least {low}"
    yield f"{name} must share {f'the length {low}' if low == high else limits}, got {widths}"


def index_of(name: str, index: int, count: int) -> Iterator[str]:
    """Require the index of one of `count` items."""
    if not 0 <= index < count:
        yield f"{name} must satisfy 0 <= {name} < {count}, got {index}"


def one_of(name: str, value: object, options: Container[object]) -> Iterator[str]:
    """Require one of the options."""
    if value not in options:
        yield f"{name} must be one of {options}, got {value!r}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
