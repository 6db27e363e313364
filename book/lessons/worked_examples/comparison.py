"""A table of worked examples: printed | ours | verdict | why."""

import difflib
import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from html import escape

from lessons.worked_examples.entries import PrintedNumber, WorkedExample, load
from lessons.worked_examples.verdicts import printed_decimals

_WIDTH = 100
_LABEL = 11  # the width of the labels in the plain text


@dataclass(frozen=True)
class Comparison:
    """Some worked examples next to what this package computes; made by :func:`compare`.

    A notebook shows it as a table, a terminal as text. Ids, documents and lines are in the
    appendix: a reader of a chapter has never seen the documents.
    """

    entries: tuple[WorkedExample, ...]
    caption: str

    def __repr__(self) -> str:
        blocks = ["\n".join(_text_rows(*row)) for row in self._rows]
        return "\n\n".join(["\n".join(_wrap(self.caption, _WIDTH)), *blocks])

    def _repr_html_(self) -> str:
        caption = escape(self.caption)
        groups = "\n".join(_html_group(*row) for row in self._rows)
        return (
            f'<div class="scroll-box" role="region" tabindex="0" aria-label="{caption}">\n'
            f'<table class="worked-examples">\n<caption>{caption}</caption>\n'
            '<thead><tr><th scope="col">Printed</th><th scope="col">Ours</th></tr></thead>\n'
            f"{groups}\n</table>\n</div>"
        )

    @cached_property
    def _rows(self) -> list[tuple[WorkedExample, str, list[str]]]:
        """Each entry, what it is about and ours, computed once for the text and the table.

        Where all entries of the table are about the same, nothing says so again.
        """
        several = len(_topics(self.entries)) > 1
        return [(entry, entry.topic if several else "", ours(entry)) for entry in self.entries]


def compare(*ids: str, caption: str | None = None) -> Comparison:
    """Show worked examples: what the document prints, what we compute, the verdict and why.

    Args:
        ids: one or more ids of entries.
        caption: the title of the table; None names what the examples are about.

    Returns:
        :class:`Comparison`, which a notebook shows as a table.

    Raises:
        TypeError: no id was given, or one is not a str.
        ValueError: an id is unknown; the message names the nearest ones.

    >>> compare("zscore-mean").entries[0].verdict
    'agrees'
    """
    if not ids:
        raise TypeError("compare needs at least one id, got none")
    entries = load()
    for entry_id in ids:
        if not isinstance(entry_id, str):
            raise TypeError(f"an id must be a str, got {type(entry_id).__name__}: {entry_id!r:.60}")
        if entry_id not in entries:
            raise ValueError(_unknown(entry_id, entries))
    chosen = tuple(entries[i] for i in ids)
    return Comparison(chosen, caption or f"Printed and computed: {', '.join(_topics(chosen))}")


def format_value(value: object, decimals: int = 4) -> list[str]:
    """Write a value as lines of text: a number on one, a matrix on one for each row.

    Printed numbers keep the digits that the document prints, whatever `decimals` says.
    """
    if value is None:
        return ["—"]
    if isinstance(value, dict):
        return [line for key, item in value.items() for line in _named(key, item, decimals)]
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return [line for item in value for line in format_value(item, decimals)]
    if isinstance(value, list):
        return ["[" + ", ".join(format_value(item, decimals)[0] for item in value) + "]"]
    return [_format_scalar(value, decimals)]


def right_value(entry: WorkedExample) -> object:
    """Return the value as computed now, or as stored where there is nothing to compute."""
    return entry.compute() if entry.computes else entry.value


def ours(entry: WorkedExample) -> list[str]:
    """Write the right value as lines."""
    return format_value(right_value(entry), max(4, printed_decimals(entry.printed)))


def verdict_class(verdict: str) -> str:
    """Return the CSS class of a verdict."""
    return "verdict-" + verdict.replace(" ", "-")


def _named(key: str, value: object, decimals: int) -> list[str]:
    lines = format_value(value, decimals)
    return [f"{key}: {lines[0]}"] if len(lines) == 1 else [f"{key}:", *lines]


def _format_scalar(value: object, decimals: int) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, int | PrintedNumber):
        return repr(value).replace("-", "−")
    if not isinstance(value, float):
        raise TypeError(
            f"value must be a number or a text, got {type(value).__name__}: {value!r:.60}"
        )
    if not math.isfinite(value):
        return {"inf": "∞", "-inf": "−∞", "nan": "NaN"}[str(value)]
    if abs(value) < 1e-12:  # what remains of a zero after rounding errors differs by machine
        value = 0.0
    if 0 < abs(value) < 0.5 * 10**-decimals:
        return f"{value:.1e}"
    # By way of ten decimals, so that a half rounds the same way on every machine.
    whole, _, rest = f"{Decimal(f'{value:.10f}'):.{decimals}f}".partition(".")
    return f"{whole}.{rest.rstrip('0') or '0'}".replace("-", "−")


def _wrap(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, break_on_hyphens=False)


def _text_rows(entry: WorkedExample, name: str, right: list[str]) -> list[str]:
    rows = _wrap(name, _WIDTH)
    cells = {
        "printed": format_value(entry.printed),
        "ours": right,
        "verdict": [entry.verdict],
        "why": [entry.note],
    }
    for label, lines in cells.items():
        wrapped = [part for line in lines for part in _wrap(line, _WIDTH - _LABEL)]
        rows.append(f"  {label:<{_LABEL - 2}}{wrapped[0]}")
        rows += [" " * _LABEL + line for line in wrapped[1:]]
    return rows


def _html_group(entry: WorkedExample, name: str, right: list[str]) -> str:
    """Return one entry in three rows: its verdict and name, printed next to ours, and why."""

    def cell(lines: list[str]) -> str:
        unbroken = (escape(line).replace(", ", ",&nbsp;") for line in lines)
        return f"<td>{'<br>'.join(unbroken)}</td>"

    verdict = f'<span class="verdict {verdict_class(entry.verdict)}">{escape(entry.verdict)}</span>'
    return (
        f'<tbody>\n<tr><th scope="rowgroup" colspan="2">{f"{verdict} {escape(name)}".strip()}'
        "</th></tr>\n"
        f"<tr>{cell(format_value(entry.printed))}{cell(right)}</tr>\n"
        f'<tr><td colspan="2" class="why">{escape(entry.note)}</td></tr>\n</tbody>'
    )


def _topics(entries: Iterable[WorkedExample]) -> list[str]:
    """Return the topics of the entries, each once."""
    return list(dict.fromkeys(entry.topic for entry in entries))


def _unknown(entry_id: str, entries: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(entry_id, entries, n=3, cutoff=0.0)
    return f"{entry_id!r} must be the id of a worked example; the nearest are {', '.join(nearest)}"
