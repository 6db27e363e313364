"""The record of a sweep, and tables of its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean
from typing import Any

Cells = dict[Any, dict[Any, list[float | None]]]


@dataclass(frozen=True)
class Table:
    """A table of texts with a caption, which a notebook shows as HTML and a terminal as text."""

    caption: str
    head: list[str]
    body: list[list[str]]

    def __repr__(self) -> str:
        lines = [self.head, *self.body]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        fitted = (
            "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])])
            for first, *others in lines
        )
        return "\n".join([self.caption, *(line.rstrip() for line in fitted)])

    def _repr_html_(self) -> str:
        caption = escape(self.caption)
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.head)
        body = "".join(
            f'<tr><th scope="row">{escape(first)}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>\n"
            for first, *cells in self.body
        )
        return (
            f'<div class="scroll-box" role="region" tabindex="0" aria-label="{caption}">\n'
            f"<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n"
            f"<tbody>\n{body}</tbody>\n</table>\n</div>"
        )


@dataclass(frozen=True)
class Record:
    """The points of a sweep, as returned by :func:`record`."""

    name: str
    grid: dict[str, list[Any]]
    points: list[dict[str, Any]]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The settings and results of each point, in the order of the grid."""
        return [point["settings"] | point["results"] for point in self.points]

    @property
    def minutes(self) -> float:
        """The total time of all points on one core, in minutes."""
        return sum(point["seconds"] for point in self.points) / 60

    def numbers(
        self,
        value: str,
        *,
        rows: str,
        columns: str | Sequence[Any] | None = None,
        over: str = "seed",
        **fixed: Any,
    ) -> Cells:
        """Return the numbers of one result by row and column, one per seed in each cell.

        Args:
            value: the name of a result.
            rows: the setting whose values are the rows.
            columns: the setting whose values are the columns; for a result that is a list, a
                label for each entry, and None numbers them from 1.
            over: the setting whose values are collected in one cell.
            fixed: one value for each other setting of the grid.

        Raises:
            ValueError: a name is unknown, or a setting has no value.
        """
        named = [rows, *([columns] if isinstance(columns, str) else []), *fixed]
        if strange := [name for name in named if name not in self.grid]:
            raise ValueError(f"settings must be among {', '.join(self.grid)}, got {strange[0]!r}")
        for name, values in self.grid.items():
            if len(values) > 1 and name not in (*named, over):
                raise ValueError(f"{self.name} needs one value of {name}: {values}")
        chosen = [row for row in self.rows if all(row[name] == fixed[name] for name in fixed)]
        if not chosen or value not in chosen[0]:
            results = ", ".join(self.points[0]["results"])
            raise ValueError(f"{self.name} has no {value!r} at {fixed}; its results are {results}")
        cells: Cells = {}
        for row in chosen:
            found = row[value] if isinstance(row[value], list) else [row[value]]
            labels = [row[columns]] if isinstance(columns, str) else columns
            if labels is None:
                labels = range(1, len(found) + 1) if isinstance(row[value], list) else [value]
            for label, number in zip(labels, found, strict=True):
                cells.setdefault(row[rows], {}).setdefault(label, []).append(number)
        return cells

    def table(
        self, value: str, *, rows: str, over: str = "seed", digits: int = 2, **others: Any
    ) -> Table:
        """Return a table of one result: the mean over the seeds, the minimum and the maximum.

        Args, Raises: as in :meth:`numbers`; `digits` is the number of decimals.
        """
        cells = self.numbers(value, rows=rows, over=over, **others)
        several = len(self.grid.get(over, [])) > 1
        what = [f"{value}, mean over {over} (least to greatest)" if several else value]
        what += [f"{name} {value}" for name, value in others.items() if name in self.grid]
        labels = list(dict.fromkeys(label for row in cells.values() for label in row))
        body = [
            [str(name), *(_cell(row.get(label, []), digits) for label in labels)]
            for name, row in cells.items()
        ]
        return Table("; ".join(what), [rows, *map(str, labels)], body)


def _cell(found: list[float | None], digits: int) -> str:
    """Format the numbers of one cell, if it has any yet."""
    numbers = [number for number in found if number is not None]
    if len(numbers) < len(found):
        return f"no number in {len(found) - len(numbers)} of {len(found)}"
    if not numbers:
        return "–"
    mean, low, high = (f"{what(numbers):.{digits}f}" for what in (fmean, min, max))
    return mean if len(numbers) == 1 else f"{mean} ({low} to {high})"
