"""Rules for the traits of figures: each yields in words what is wrong, or nothing."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any


def of_trait(name: str, value: Any, tag: Mapping[str, Any]) -> Iterator[str]:
    """Require what the tag of a trait says: one of its `options`, or numbers within its `limits`.

    `count` says how many entries a list may have, `letters` how many a text; `below` of how many
    items it is the index.
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
    """Require a number, or all of a list's, from limits["min"] to limits["max"]; NaN is none."""
    if isinstance(numbers, Sequence):
        for x in numbers:
            yield from between(name, x, limits)
    elif not limits["min"] <= numbers <= limits["max"]:
        low, high = limits["min"], limits["max"]
        yield f"{name} must lie between {low:g} and {high:g}, got {numbers}"


def count_of(name: str, items: Sequence[object], limits: Mapping[str, int]) -> Iterator[str]:
    """Require as many items as the limits say."""
    low, high = limits["min"], limits["max"]
    if not low <= len(items) <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        yield f"{name} must have {wanted} entries, got {len(items)}"


def equally_many(**lists: Sequence[object]) -> Iterator[str]:
    """Require lists of one length."""
    counts = [str(len(items)) for items in lists.values()]
    if len(set(counts)) != 1:
        yield f"{_listed([*lists])} must be equally many, got {_listed(counts)}"


def one_width(
    name: str, rows: Iterable[Sequence[object]], low: int = 1, high: int | None = None
) -> Iterator[str]:
    """Require rows of one length, from `low` to `high`; at least one row."""
    widths = sorted({len(row) for row in rows})
    if len(widths) == 1 and low <= widths[0] <= (high or widths[0]):
        return
    limits = f"one length from {low} to {high}" if high else f"one length of at least {low}"
    yield f"{name} must share {f'the length {low}' if low == high else limits}, got {widths}"


def index_of(name: str, place: int, count: int) -> Iterator[str]:
    """Require the index of one of `count` items."""
    if not 0 <= place < count:
        yield f"{name} must satisfy 0 <= {name} < {count}, got {place}"


def one_of(name: str, value: object, options: Container[object]) -> Iterator[str]:
    """Require one of the options."""
    if value not in options:
        yield f"{name} must be one of {options}, got {value!r}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
