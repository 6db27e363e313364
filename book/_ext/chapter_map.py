"""The map of the chapters as a drawing: a column for each part of the book, and arrows."""

import html
import textwrap
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter

from chapter_facts import Chapter

COLUMN, GAP, ROW, BOX = 270, 60, 84, 58


def drawing(columns: list[list[Chapter]], href: Callable[[Chapter], str]) -> str:
    """Draw the chapters as linked boxes; an arrow leads to each from what it needs first.

    Args:
        columns: the chapters of each part, in order.
        href: makes the address of a chapter.
    """
    rows = max(map(len, columns))
    place = {  # a short column stands in the middle, so that arrows pass above and below it
        chapter.name: (x, y + (rows - len(column)) / 2)
        for x, column in enumerate(columns)
        for y, chapter in enumerate(column)
    }
    chapters = [chapter for column in columns for chapter in column]
    needs = {chapter.name: set(chapter.needs) & place.keys() for chapter in chapters}
    arrows = [arrow(place[need], place[name]) for need, name in direct_needs(needs)]
    boxes = [box(chapter, href(chapter), *place[chapter.name]) for chapter in chapters]
    return (
        f'<svg class="chapter-map" viewBox="0 0 {len(columns) * COLUMN - GAP} {rows * ROW}" '
        'role="group" aria-label="Map of the chapters: arrows lead from what comes first">'
        '<defs><marker id="map-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{''.join(arrows)}{''.join(boxes)}</svg>"
    )


def direct_needs(needs: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Pairs of a chapter and one that needs it, without those that other pairs imply.

    >>> direct_needs({"a": set(), "b": {"a"}, "c": {"a", "b"}})
    [('a', 'b'), ('b', 'c')]

    Raises:
        ValueError: chapters need each other.
    """
    order = TopologicalSorter(needs)
    try:
        everything: dict[str, set[str]] = {}
        for name in order.static_order():  # what a chapter needs comes before it
            everything[name] = needs[name].union(*(everything[need] for need in needs[name]))
    except CycleError as error:
        circle = " needs ".join(reversed(error.args[1]))
        raise ValueError(f"chapters must not need each other, got {circle}") from None
    return [
        (need, name)
        for name, direct in needs.items()
        for need in sorted(direct)
        if not any(need in everything[other] for other in direct)
    ]


def box(chapter: Chapter, href: str, column: int, row: float) -> str:
    """A linked box with the chapter's title in one or two lines, or with its short form."""
    lines = textwrap.wrap(chapter.title, 21)
    if len(lines) > 2:
        lines = textwrap.wrap(chapter.short_title, 21)
    x, y = column * COLUMN, round(row * ROW + 4)
    first = y + BOX / 2 - 9 * (len(lines) - 1) + 5
    text = "".join(
        f'<tspan x="{x + 14}" y="{first + 18 * i:g}">{html.escape(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    return (
        f'<a href="{html.escape(href)}"><rect x="{x + 2}" y="{y}" width="{COLUMN - GAP - 4}" '
        f'height="{BOX}" rx="8"/><text>{text}</text></a>'
    )


def arrow(start: tuple[int, float], end: tuple[int, float]) -> str:
    """A line from one box to another: down its column, or from the right side to the left."""
    (x1, y1), (x2, y2) = start, end
    right = x1 * COLUMN + COLUMN - GAP - 2
    a, b = y1 * ROW + 4 + BOX / 2, y2 * ROW + 4 + BOX / 2
    if x1 == x2 and y2 == y1 + 1:
        middle = x1 * COLUMN + (COLUMN - GAP) / 2
        line = f"M{middle:g} {y1 * ROW + 4 + BOX:g}V{y2 * ROW + 2:g}"
    elif x1 == x2:  # past the boxes in between, on their right
        line = f"M{right} {a:g}C{right + 26} {a:g} {right + 26} {b:g} {right + 4} {b:g}"
    else:
        left = x2 * COLUMN
        middle = left - GAP / 2
        line = f"M{right} {a:g}C{middle} {a:g} {middle} {b:g} {left} {b:g}"
    return f'<path d="{line}" marker-end="url(#map-tip)"/>'
