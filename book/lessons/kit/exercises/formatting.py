"""Format snapshots of any size in a few characters."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from lessons.kit.exercises.snapshot import TENSOR, Snapshot, take_snapshot, type_name

Formatter = Callable[[Any], str]

MAX_CHARACTERS = 40  # of one text or one value
_FEW = 3  # entries of a list inside another, missing keys, neighbors of an entry
_BRACKETS = {
    "list": ("[", "]"),
    "tuple": ("(", ")"),
    "dict": ("{", "}"),
    "set": ("{", "}"),
    "frozenset": ("frozenset({", "})"),
}


def format_snapshot(snapshot: Snapshot, write: Formatter | None = None, depth: int = 0) -> str:
    """Format a value; numbers with `write`, or with four decimals without it."""
    write = write or number_format(4)
    if snapshot.is_container:
        return _format_container(snapshot, write, depth)
    if snapshot.kind == TENSOR:
        return f"tensor of shape {snapshot.content.shape}"
    if snapshot.kind in ("str", "bytes"):
        return quote(snapshot.content)
    return write(snapshot.content) if snapshot.kind in _SCALARS else f"<{snapshot.name}>"


_SCALARS = ("NoneType", "bool", "int", "float", "complex")


def _format_container(snapshot: Snapshot, write: Formatter, depth: int) -> str:
    opening, closing = _BRACKETS[snapshot.kind]
    in_order = snapshot.content
    if isinstance(in_order, frozenset):  # the order of a set changes from run to run
        in_order = sorted(in_order, key=format_snapshot)
    few = list(in_order[:_FEW]) if depth < _FEW else []
    parts = [_format_part(part, write, depth + 1) for part in few]
    more = ["…"] * (len(snapshot.content) > len(few))
    return shorten(f"{opening}{', '.join(parts + more)}{closing}", 2 * MAX_CHARACTERS)


def _format_part(part: Any, write: Formatter, depth: int) -> str:
    """Format an entry of a container: a value, or a pair of a dict."""
    if isinstance(part, Snapshot):
        return format_snapshot(part, write, depth)
    key, value = part
    return f"{format_snapshot(key, write, depth)}: {format_snapshot(value, write, depth)}"


def format_window(snapshot: Snapshot, index: int, write: Formatter) -> str:
    """Format the entries of a list or tuple around one index."""
    entries = snapshot.content
    start, end = max(0, index - _FEW), index + _FEW + 1
    if len(entries) <= 2 * _FEW + 2:
        start, end = 0, len(entries)
    before, after = ["…"] * (start > 0), ["…"] * (end < len(entries))
    inside = [format_snapshot(entry, write) for entry in entries[start:end]]
    opening, closing = _BRACKETS[snapshot.kind]
    return f"{opening}{', '.join([*before, *inside, *after])}{closing}"


def format_some(snapshots: Iterable[Snapshot]) -> str:
    """Format the first few snapshots, in their order, and count the rest."""
    texts = [format_snapshot(snapshot) for snapshot in snapshots]
    return ", ".join(texts[:_FEW]) + (f" and {len(texts) - _FEW} more" if texts[_FEW:] else "")


def is_long(text: str | bytes) -> bool:
    """Return whether a text is too long to be printed in full."""
    return len(text) > MAX_CHARACTERS


def quote(text: str | bytes) -> str:
    """Quote a text, shortened to its first characters."""
    return shorten(repr(text[: MAX_CHARACTERS + 1]), MAX_CHARACTERS + 2)


def excerpt(text: str | bytes, index: int) -> str:
    """Quote a text around one index."""
    start, end = max(0, index - MAX_CHARACTERS // 2), index + MAX_CHARACTERS // 2
    before, after = "…" * (start > 0), "…" * (end < len(text))
    return f"{before}{shorten(repr(text[start:end]), 2 * MAX_CHARACTERS)}{after}"


def shorten(text: str, max_length: int) -> str:
    """Shorten a text to at most `max_length` characters."""
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def safe_repr(value: object) -> str:
    """Return the start of a value's repr, or the name of its type if repr fails."""
    snapshot = take_snapshot(value)
    if snapshot.content is not None and snapshot.kind != TENSOR:
        return format_snapshot(snapshot)
    try:
        return shorten(repr(value), 60)
    except Exception:
        return f"<{type_name(value)}>"


def number_format(decimals: int) -> Formatter:
    """Return a function that formats numbers with this many decimals."""

    def write(value: Any) -> str:
        if isinstance(value, float) and (abs(value) < 1e15 or not math.isfinite(value)):
            return f"{value:z.{decimals}f}"
        if (
            type(value) is int and abs(value) >= 10**MAX_CHARACTERS
        ):  # Python refuses to print the largest
            return f"a number of about {int(value.bit_length() * math.log10(2))} digits"
        return str(value)

    return write


def distinguishing_format(got: Any, expected: Any) -> Formatter:
    """Return a formatter with enough decimals to tell two numbers apart, and at least four."""
    formats = map(number_format, (4, 8))
    return next((write for write in formats if write(got) != write(expected)), number_format(12))
