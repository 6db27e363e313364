"""The kit that every diagram of the book is drawn with.

A diagram is a tree of nodes and the links between them. Rows, columns and grids place the nodes;
sizes follow from the labels, so nobody counts pixels::

    from transformer_lite.diagrams._kit import arrow, box, column, draw, row

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
stands twice or not at all, a missing text alternative.
"""

from itertools import pairwise
from typing import Any

from torch import Tensor

from transformer_lite.diagrams._kit.diagram import Diagram as Diagram
from transformer_lite.diagrams._kit.drawing import brace as brace
from transformer_lite.diagrams._kit.drawing import draw as draw
from transformer_lite.diagrams._kit.links import Arrow as Arrow
from transformer_lite.diagrams._kit.matrix import Matrix as Matrix
from transformer_lite.diagrams._kit.nodes import Around as Around
from transformer_lite.diagrams._kit.nodes import Box as Box
from transformer_lite.diagrams._kit.nodes import Circle as Circle
from transformer_lite.diagrams._kit.nodes import Grid as Grid
from transformer_lite.diagrams._kit.nodes import Group as Group
from transformer_lite.diagrams._kit.nodes import Node as Node
from transformer_lite.diagrams._kit.nodes import Space as Space
from transformer_lite.diagrams._kit.nodes import Text as Text

# In a drawing these are words of a small language, written small like `row` and `draw`.
arrow, around, box, circle = Arrow, Around, Box, Circle
grid, group, matrix, space, text = Grid, Group, Matrix, Space, Text


def arrows(*nodes: Node) -> list[Arrow]:
    """Return an arrow from each node to the next one."""
    return [Arrow(start, end) for start, end in pairwise(nodes)]


def permissions(mask: Tensor, name: str = "", kind: str = "weight", **named: Any) -> Matrix:
    """Return a matrix with a tick where a mask is true, and hatched where it is false."""
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
