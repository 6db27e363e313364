"""Draw the diagrams of the book: a module in each lesson, a function for each picture.

`diagrams.attention.flow()` draws the picture `flow` of the lesson on attention. Every `diagrams.py`
is found automatically and loaded on first use. All pictures are drawn with one kit, so a query
looks the same in every chapter.

A diagram is a tree of nodes and the links between them. Rows, columns and grids place the nodes;
sizes follow from the labels, so nobody counts pixels::

    from lessons.kit.diagrams import arrow, box, column, draw, row

    def flow() -> Diagram:
        x = box("X", "data", note="(T, D)")
        q, k, v = box("Q = XW^Q", "query"), box("K = XW^K", "key"), box("V = XW^V", "value")
        arrows = [arrow(x, part) for part in (q, k, v)]
        parts = row(x, column(q, k, v, equal=True), gap=60)
        return draw(parts, *arrows, alt="X becomes the queries Q, the keys K and the values V.")

Labels: `^` raises and `_` lowers a word (`W^Q`, `d_model`, `x_{t+1}`), a backslash keeps the sign,
a line break begins a new line. The kinds are plain, query, key, value, score, weight, output, norm,
residual, feed_forward, data and off. A drawing is at most 760 wide; one of at most 380 needs no
scrolling on a phone.

What does not fit is refused when it is drawn: words of an arrow that lie on a box, a node that
used twice or not at all, a missing text alternative.
"""

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import Tensor

from lessons import lesson_files
from lessons.kit.diagrams.diagram import Diagram as Diagram
from lessons.kit.diagrams.drawing import brace as brace
from lessons.kit.diagrams.drawing import draw as draw
from lessons.kit.diagrams.links import Arrow as Arrow
from lessons.kit.diagrams.matrix import Matrix as Matrix
from lessons.kit.diagrams.nodes import Around as Around
from lessons.kit.diagrams.nodes import Box as Box
from lessons.kit.diagrams.nodes import Circle as Circle
from lessons.kit.diagrams.nodes import Grid as Grid
from lessons.kit.diagrams.nodes import Group as Group
from lessons.kit.diagrams.nodes import Node as Node
from lessons.kit.diagrams.nodes import Space as Space
from lessons.kit.diagrams.nodes import Text as Text

# These classes have lower-case names here, like the functions `row` and `draw`.
arrow, around, box, circle = Arrow, Around, Box, Circle
grid, group, matrix, space, text = Grid, Group, Matrix, Space, Text


def arrows(*nodes: Node) -> list[Arrow]:
    """Return an arrow from each node to the next one."""
    return [Arrow(start, end) for start, end in pairwise(nodes)]


def permissions(mask: Tensor, name: str = "", kind: str = "weight", **named: Any) -> Matrix:
    """Return a matrix with ticks where a mask is true and hatching where it is false."""
    ticks = [["✓" if cell else "" for cell in line] for line in mask.tolist()]
    return Matrix(ticks, kind, name, off=~mask, **named)


def row(*nodes: Node, gap: float = 36, align: str = "center", equal: bool = False) -> Grid:
    """Return nodes from left to right; `align` is start, center or end, `equal` one width for all.

    >>> row(box("Q"), box("K"), gap=10).width
    90
    """
    return Grid([nodes], gap, align, equal)


def column(*nodes: Node, gap: float = 28, align: str = "center", equal: bool = False) -> Grid:
    """Return nodes from top to bottom; `align` and `equal` as in :func:`row`."""
    return Grid([[node] for node in nodes], gap, align, equal)


__all__ = ["Diagram"]
#: The modules with diagrams: those of the lessons, and the shared ones.
MODULES = sorted([*(path.parent.name for path in lesson_files("diagrams.py")), "machine", "whole"])


def __getattr__(name: str) -> ModuleType:
    """Load the diagrams of a lesson: `diagrams.attention`."""
    if name not in MODULES:
        raise AttributeError(f"diagrams must be one of {', '.join(MODULES)}, got {name!r}")
    is_shared = Path(__file__).with_name(f"{name}.py").exists()
    return import_module(f"{__name__}.{name}" if is_shared else f"lessons.{name}.diagrams")


def __dir__() -> list[str]:
    return [*globals(), *MODULES]
