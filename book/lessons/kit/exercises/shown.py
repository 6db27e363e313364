"""Show readings in a few characters, whatever they hold."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from lessons.kit.exercises.reading import TENSOR, Reading, read, type_name

Formatter = Callable[[Any], str]

ROOM = 40  # characters for one text, and for one value
_FEW = 3  # entries of a list inside another, missing keys, neighbors of an entry
_BRACKETS = {
    "list": ("[", "]"),
    "tuple": ("(", ")"),
    "dict": ("{", "}"),
    "set": ("{", "}"),
    "frozenset": ("frozenset({", "})"),
}


def shown(reading: Reading, write: Formatter | None = None, depth: int = 0) -> str:
    """Show a value; numbers as `write` says, and with four decimals where it says nothing."""
    write = write or number_format(4)
    if reading.is_container:
        return _shown_container(reading, write, depth)
    if reading.kind == TENSOR:
        return f"tensor of shape {reading.content.shape}"
    if reading.kind in ("str", "bytes"):
        return quoted(reading.content)
    return write(reading.content) if reading.kind in _WRITTEN else f"<{reading.name}>"


_WRITTEN = ("NoneType", "bool", "int", "float", "complex")


def _shown_container(reading: Reading, write: Formatter, depth: int) -> str:
    opening, closing = _BRACKETS[reading.kind]
    in_order = reading.content
    if isinstance(in_order, frozenset):  # the order of a set changes from run to run
        in_order = sorted(in_order, key=shown)
    few = list(in_order[:_FEW]) if depth < _FEW else []
    parts = [_shown_part(part, write, depth + 1) for part in few]
    more = ["…"] * (len(reading.content) > len(few))
    return shorten(f"{opening}{', '.join(parts + more)}{closing}", 2 * ROOM)


def _shown_part(part: Any, write: Formatter, depth: int) -> str:
    """Show an entry of a container: a value, or a pair of a dict."""
    if isinstance(part, Reading):
        return shown(part, write, depth)
    key, value = part
    return f"{shown(key, write, depth)}: {shown(value, write, depth)}"


def window(reading: Reading, index: int, write: Formatter) -> str:
    """Show the entries of a list or tuple around one of them."""
    entries = reading.content
    start, end = max(0, index - _FEW), index + _FEW + 1
    if len(entries) <= 2 * _FEW + 2:
        start, end = 0, len(entries)
    before, after = ["…"] * (start > 0), ["…"] * (end < len(entries))
    shown_entries = [*before, *(shown(entry, write) for entry in entries[start:end]), *after]
    opening, closing = _BRACKETS[reading.kind]
    return f"{opening}{', '.join(shown_entries)}{closing}"


def some(readings: Iterable[Reading]) -> str:
    """Show a few readings, in an order that does not change from run to run, and count the rest."""
    texts = [shown(reading) for reading in readings]
    return ", ".join(texts[:_FEW]) + (f" and {len(texts) - _FEW} more" if texts[_FEW:] else "")


def is_long(text: str | bytes) -> bool:
    """Return whether a text is too long to be shown whole."""
    return len(text) > ROOM


def quoted(text: str | bytes) -> str:
    """Quote a text, cut to its first characters."""
    return shorten(repr(text[: ROOM + 1]), ROOM + 2)


def excerpt(text: str | bytes, index: int) -> str:
    """Quote the surroundings of one place in a text."""
    start, end = max(0, index - ROOM // 2), index + ROOM // 2
    before, after = "…" * (start > 0), "…" * (end < len(text))
    return f"{before}{shorten(repr(text[start:end]), 2 * ROOM)}{after}"


def shorten(text: str, room: int) -> str:
    """Cut a text that is longer than its room."""
    return text if len(text) <= room else text[: room - 1] + "…"


def safe_repr(value: object) -> str:
    """Return the start of a value's repr, or the name of its type where there is no repr."""
    reading = read(value)
    if reading.content is not None and reading.kind != TENSOR:
        return shown(reading)
    try:
        return shorten(repr(value), 60)
    except Exception:
        return f"<{type_name(value)}>"


def number_format(decimals: int) -> Formatter:
    """Return a formatter of numbers with so many decimals."""

    def write(value: Any) -> str:
        if isinstance(value, float) and (abs(value) < 1e15 or not math.isfinite(value)):
            return f"{value:z.{decimals}f}"
        if type(value) is int and abs(value) >= 10**ROOM:  # Python refuses to print the largest
            return f"a number of about {int(value.bit_length() * math.log10(2))} digits"
        return str(value)

    return write


def digits(got: Any, expected: Any) -> Formatter:
    """Return a formatter with four decimals, or with as many as it takes to see a difference."""
    formats = map(number_format, (4, 8))
    return next((write for write in formats if write(got) != write(expected)), number_format(12))
