"""Rules for the traits of figures: each yields in words what is wrong, or nothing."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence


def between(name: str, numbers: Iterable[float], limits: Mapping[str, float]) -> Iterator[str]:
    """Require numbers from limits["min"] to limits["max"]; NaN is none."""
    low, high = limits["min"], limits["max"]
    for x in numbers:
        if not low <= x <= high:
            yield f"{name} must lie between {low:g} and {high:g}, got {x}"


def flat(rows: Iterable[Iterable[float]]) -> Iterator[float]:
    """Return the numbers of all rows."""
    return (x for row in rows for x in row)


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
