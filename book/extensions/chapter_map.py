"""Draw the map of the chapters: a row for each part of the book, and arrows between chapters."""

import html
import textwrap
from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter

from chapter_facts import Chapter

# The drawing is as wide as the text of a page, so letters appear in the sizes given here.
COLUMN, GAP, ROW, BOX, LINE = 118, 16, 96, 66, 14.5


def drawing(parts: list[list[Chapter]], href: Callable[[Chapter], str]) -> str:
    """Draw the chapters as linked boxes, with arrows to each chapter from its prerequisites.

    Args:
        parts: the chapters of each part, in order.
        href: a function that returns the address of a chapter.
    """
    place = {part[x].name: (x, y) for y, part in enumerate(parts) for x in range(len(part))}
    chapters = [chapter for part in parts for chapter in part]
    needs = {chapter.name: set(chapter.facts.needs) & place.keys() for chapter in chapters}
    arrows = [arrow(place[need], place[name]) for need, name in direct_needs(needs)]
    boxes = [box(chapter, href(chapter), *place[chapter.name]) for chapter in chapters]
    width, height = max(map(len, parts)) * COLUMN - GAP, len(parts) * ROW - ROW + BOX
    return (
        f'<svg class="chapter-map" viewBox="-2 -2 {width + 4} {height + 4}" '
        'role="group" aria-label="Map of the chapters: arrows lead from what comes first">'
        '<defs><marker id="map-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{''.join(arrows)}{''.join(boxes)}</svg>"
    )


def direct_needs(needs: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Return pairs of a prerequisite and a chapter, without the pairs that others imply.

    >>> direct_needs({"a": set(), "b": {"a"}, "c": {"a", "b"}})
    [('a', 'b'), ('b', 'c')]

    Raises:
        ValueError: the prerequisites form a cycle.
    """
    order = TopologicalSorter(needs)
    try:
        everything: dict[str, set[str]] = {}
        for name in order.static_order():  # prerequisites come first
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


def box(chapter: Chapter, href: str, column: int, row: int) -> str:
    """Return a linked box with the chapter's number and the short form of its title."""
    lines = textwrap.wrap(f"{chapter.number} {chapter.short_title}", 13)
    x, y = column * COLUMN, row * ROW
    first = y + BOX / 2 - LINE * (len(lines) - 1) / 2 + 4
    text = "".join(
        f'<tspan x="{x + 8}" y="{first + LINE * i:g}">{html.escape(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    return (
        f'<a href="{html.escape(href)}"><rect x="{x}" y="{y}" width="{COLUMN - GAP}" '
        f'height="{BOX}" rx="8"/><text>{text}</text></a>'
    )


def arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return a line from one box to another: along a row, above it, or down between columns."""
    (x1, y1), (x2, y2) = start, end
    half = (COLUMN - GAP) / 2
    a, b, top = x1 * COLUMN + half, x2 * COLUMN + half, y2 * ROW - 2
    if y1 == y2 and x2 == x1 + 1:
        line = f"M{a + half:g} {y1 * ROW + BOX / 2:g}H{b - half - 2:g}"
    elif y1 == y2:  # above the boxes in between
        line = f"M{a + 20:g} {y1 * ROW}C{a + 30:g} {top - 16} {b - 30:g} {top - 16} {b - 8:g} {top}"
    else:  # past the rows in between, on the right of its column
        beside, low = a + half + GAP / 2, (y2 - 1) * ROW + BOX
        middle = (low + top) / 2
        line = f"M{a:g} {y1 * ROW + BOX}"
        if y2 > y1 + 1:
            line += f"Q{beside:g} {y1 * ROW + BOX} {beside:g} {(y1 + 1) * ROW}V{low}"
            a = beside
        line += f"C{a:g} {middle:g} {b:g} {middle:g} {b:g} {top}"
    return f'<path d="{line}" marker-end="url(#map-tip)"/>'
