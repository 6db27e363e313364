"""Arrows and braces between nodes. They are drawn last, after the layout of the nodes."""

from dataclasses import dataclass
from itertools import pairwise

from lessons.kit.diagrams.nodes import SIDES, Around, Node, check_label, overlap
from lessons.kit.diagrams.text import SMALL, height_of, px, text_svg, width_of
from transformer_lite.checks import check_choice

Point = tuple[float, float]
OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
BENDS = ("", "straight", "elbow", "curve")
OUT = 22  # the distance to the node of a line that turns back


@dataclass(frozen=True)
class Label:
    """The label of an arrow or a brace: its middle and its size."""

    text: str
    x: float
    y: float

    @property
    def width(self) -> float:
        return width_of(self.text, SMALL)

    @property
    def height(self) -> float:
        return height_of(self.text, SMALL)

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return (
            self.x - self.width / 2,
            self.y - self.height / 2,
            self.x + self.width / 2,
            self.y + self.height / 2,
        )

    def svg(self) -> str:
        return text_svg(self.text, self.x, self.y - self.height / 2, SMALL, "tl-d-over")


class Link:
    """Something drawn between nodes: its path, its label and the nodes that it needs."""

    nodes: tuple[Node, ...]
    passed: tuple[Node, ...] = ()  # the other nodes of the diagram

    def points(self) -> list[Point]:
        """Return the points of the line, or the control points of its curve."""
        raise NotImplementedError

    def label(self) -> Label | None:
        raise NotImplementedError

    def svg(self) -> str:
        raise NotImplementedError


class Arrow(Link):
    """A line from one node to another, with a tip at its end."""

    def __init__(
        self,
        start: Node,
        end: Node,
        label: str = "",
        bend: str = "",
        start_side: str = "",
        end_side: str = "",
        dashed: bool = False,
        label_side: str = "",
    ) -> None:
        for name, node in (("start", start), ("end", end)):
            if not isinstance(node, Node):
                raise TypeError(f"{name} must be a node, got {type(node).__name__}: {node!r:.60}")
        check_label("label", label, empty=True)
        check_choice("bend", bend, BENDS)
        for name, side in (
            ("start_side", start_side),
            ("end_side", end_side),
            ("label_side", label_side),
        ):
            check_choice(name, side, ("", *SIDES))
        self.nodes, self.words, self.bend, self.dashed = (start, end), label, bend, dashed
        self.start_side, self.end_side, self.label_side = start_side, end_side, label_side

    def sides(self) -> tuple[str, str]:
        """Return the sides where the line starts and ends: the given ones, or the facing ones."""
        a, b = self.nodes
        if b.x >= a.x + a.width or b.x + b.width <= a.x:
            facing = "right" if b.x > a.x else "left"
        else:
            facing = "bottom" if b.y > a.y else "top"
        start = self.start_side or (OPPOSITE[self.end_side] if self.end_side else facing)
        return start, self.end_side or (OPPOSITE[start] if self.start_side else OPPOSITE[facing])

    def ends(self) -> tuple[Point, Point]:
        """Return the first and the last point, aligned if the nodes' sides allow it."""
        a, b = self.nodes
        leave, arrive = self.sides()
        start, end = a.port(leave), b.port(arrive)
        if leave == OPPOSITE[arrive] and self.bend in ("", "straight"):
            across = SIDES[leave][1] != 0  # a line up or down moves sideways
            axis, size = (0, "width") if across else (1, "height")
            for point, other, node in ((start, end, b), (end, start, a)):
                middle = node.port("top" if across else "left")[axis]
                if abs(point[axis] - middle) <= getattr(node, size) / 2 - 6:
                    moved = (point[0], other[1]) if across else (other[0], point[1])
                    return (start, moved) if point is start else (moved, end)
        return start, end

    def points(self) -> list[Point]:
        start, end = self.ends()
        leave, arrive = (SIDES[side] for side in self.sides())
        aligned = abs(start[0] - end[0]) < 0.5 or abs(start[1] - end[1]) < 0.5
        opposed = leave == (-arrive[0], -arrive[1])
        if self.bend == "straight" or (aligned and opposed and not self.bend):
            return [start, end]
        if self.bend == "elbow":
            return [start, *_corners(start, end, leave, arrive, self._edges()), end]
        reach = max(OUT, 0.5 * max(abs(end[0] - start[0]), abs(end[1] - start[1])))
        return [start, _go(start, leave, reach), _go(end, arrive, reach), end]

    def _edges(self) -> list[float]:
        """Return how far the nodes between start and end reach on the line's side."""
        side, span = self.sides()[0], Around(*self.nodes).settle()
        axis = 0 if SIDES[side][0] else 1
        between = (node for node in self.passed if overlap(node.corners, span.corners))
        return [node.port(side)[axis] for node in between]

    @property
    def is_curve(self) -> bool:
        return self.bend in ("", "curve") and len(self.points()) == 4

    def label(self) -> Label | None:
        if not self.words:
            return None
        points = self.points()
        if self.is_curve:
            x = sum(w * p[0] for w, p in zip((1, 3, 3, 1), points, strict=True)) / 8
            y = sum(w * p[1] for w, p in zip((1, 3, 3, 1), points, strict=True)) / 8
            a, b = points[0], points[3]
        else:
            pairs = list(pairwise(points))
            a, b = max(pairs, key=lambda p: abs(p[0][0] - p[1][0]) + abs(p[0][1] - p[1][1]))
            x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        flat = abs(b[0] - a[0]) >= abs(b[1] - a[1])
        side = SIDES[self.label_side or ("top" if flat else "right")]
        here = Label(self.words, x, y)
        return Label(
            self.words,
            x + side[0] * (here.width / 2 + 7),
            y + side[1] * (here.height / 2 + 4),
        )

    def svg(self) -> str:
        points = self.points()
        (x, y), arrive = points[-1], SIDES[self.sides()[1]]
        if self.bend == "straight":
            before = points[-2]
            length = max(1e-9, ((before[0] - x) ** 2 + (before[1] - y) ** 2) ** 0.5)
            arrive = ((before[0] - x) / length, (before[1] - y) / length)
        back = _go((x, y), arrive, 7)
        line = [*points[:-1], back]
        commands = "C" if self.is_curve else "L"
        path = f"M{_at(line[0])}{commands}{' '.join(map(_at, line[1:]))}"
        tip = [
            (x, y),
            (back[0] + arrive[1] * 4.5 + arrive[0] * 2, back[1] - arrive[0] * 4.5 + arrive[1] * 2),
            (back[0] - arrive[1] * 4.5 + arrive[0] * 2, back[1] + arrive[0] * 4.5 + arrive[1] * 2),
        ]
        label = self.label()
        return (
            f'<path class="tl-d-line{" tl-d-dashed" if self.dashed else ""}" d="{path}"/>'
            f'<path class="tl-d-tip" d="M{"L".join(map(_at, tip))}z"/>'
            f"{label.svg() if label else ''}"
        )


class Brace(Link):
    """A brace along one side of nodes, with a label at its middle."""

    DEPTH = 10

    def __init__(self, nodes: tuple[Node, ...], label: str, side: str = "bottom") -> None:
        check_label("label", label)
        check_choice("side", side, SIDES)
        self.nodes, self.words, self.side = (Around(*nodes),), label, side

    def _frame(self) -> tuple[Point, Point, Point]:
        """Both ends and the point in the middle."""
        node, side = self.nodes[0], SIDES[self.side]
        middle = _go(node.port(self.side), side, 5)
        along = (abs(side[1]), abs(side[0]))
        half = (node.width if along[0] else node.height) / 2
        return _go(middle, along, -half), _go(middle, along, half), _go(middle, side, self.DEPTH)

    def points(self) -> list[Point]:
        return list(self._frame())

    def label(self) -> Label:
        (x, y), side = self._frame()[2], SIDES[self.side]
        here = Label(self.words, x, y)
        return Label(
            self.words,
            x + side[0] * (here.width / 2 + 6),
            y + side[1] * (here.height / 2 + 3),
        )

    def svg(self) -> str:
        a, b, tip = self._frame()
        side = SIDES[self.side]
        out, root = self.DEPTH / 2, _go(tip, side, -self.DEPTH / 2)
        path = (
            f"M{_at(a)}Q{_at(_go(a, side, out))} {_at(_mix(_go(a, side, out), root, 0.15))}"
            f"L{_at(_mix(root, _go(a, side, out), 0.15))}Q{_at(root)} {_at(tip)}"
            f"Q{_at(root)} {_at(_mix(root, _go(b, side, out), 0.15))}"
            f"L{_at(_mix(_go(b, side, out), root, 0.15))}Q{_at(_go(b, side, out))} {_at(b)}"
        )
        return f'<path class="tl-d-line" d="{path}"/>{self.label().svg()}'


def _corners(
    start: Point, end: Point, leave: Point, arrive: Point, edges: list[float]
) -> list[Point]:
    """Return the corners of a rectangular line; one that turns back goes past the `edges`."""
    if leave[0] * arrive[0] + leave[1] * arrive[1] == 0:  # round one corner
        return [(end[0], start[1]) if leave[0] else (start[0], end[1])]
    axis = 0 if leave[0] else 1
    if leave == arrive:  # out, along, and back
        far = max if leave[axis] > 0 else min
        turn = far(start[axis], end[axis], *edges) + leave[axis] * OUT
    else:
        turn = (start[axis] + end[axis]) / 2
    return [(turn, start[1]), (turn, end[1])] if axis == 0 else [(start[0], turn), (end[0], turn)]


def _go(point: Point, way: Point, far: float) -> Point:
    return point[0] + way[0] * far, point[1] + way[1] * far


def _mix(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _at(point: Point) -> str:
    return f"{px(point[0])} {px(point[1])}"
