"""The nodes of a diagram: boxes, texts, circles, and the layouts that place them.

A node knows its size from its label. Its position is found at the end, by the rows, columns and
grids that hold it; nobody counts pixels.
"""

from collections.abc import Iterator, Sequence
from typing import Self

from lessons.kit.diagrams.text import SIZE, SMALL, height_of, px, text_svg, width_of
from transformer_lite.checks import check_choice

#: The kinds of boxes. They differ not only in colour.
KINDS = (
    "plain",
    "query",
    "key",
    "value",
    "score",
    "weight",
    "output",
    "norm",
    "residual",
    "feed_forward",
    "data",
    "off",
)
ALIGNS = ("start", "center", "end")
#: The sides of a node, and the direction in which a line leaves there.
SIDES = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


def check_label(name: str, value: object, empty: bool = False) -> None:
    """Require a text that is not blank, unless it may be `empty`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, got {type(value).__name__}: {value!r:.60}")
    if not value.strip() and not empty:
        raise ValueError(f"{name} must not be empty, got {value!r}")


def check_length(name: str, value: float) -> None:
    """Require a non-negative length in pixels."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {type(value).__name__}: {value!r:.60}")
    if not 0 <= value < 10_000:
        raise ValueError(f"{name} must lie between 0 and 10000, got {value}")


class Node:
    """A rectangle of the drawing; `x` and `y` are its upper left corner once it is placed."""

    #: Whether labels of arrows must not overlap it.
    solid = True

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.x = self.y = 0.0

    def place(self, x: float, y: float) -> None:
        """Place the node and its children with the upper left corner at (x, y)."""
        self.x, self.y = x, y

    def all(self) -> Iterator["Node"]:
        """Yield the node and every node inside it."""
        yield self

    def svg(self) -> str:
        """Write the node itself, without the nodes inside."""
        return ""

    @property
    def center(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def port(self, side: str) -> tuple[float, float]:
        """Return the point where an arrow starts or ends at a side."""
        (x, y), (across, down) = self.center, SIDES[side]
        return x + across * self.width / 2, y + down * self.height / 2


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Return whether two rectangles, given by their corners, share more than an edge."""
    return all(a[i] < b[i + 2] - 1 and b[i] < a[i + 2] - 1 for i in (0, 1))


class Text(Node):
    """Text without a frame."""

    def __init__(self, label: str, small: bool = False, bold: bool = False) -> None:
        check_label("label", label)
        self.label, self.bold = label, bold
        self.size = SMALL if small else SIZE
        super().__init__(width_of(label, self.size, bold), height_of(label, self.size))

    def svg(self) -> str:
        classes = "tl-d-bold" if self.bold else "tl-d-quiet" if self.size < SIZE else ""
        return text_svg(self.label, self.center[0], self.y, self.size, classes)


class Box(Node):
    """A label in a frame, with an optional note below it in small letters."""

    def __init__(
        self,
        label: str,
        kind: str = "plain",
        note: str = "",
        width: float = 0,
        height: float = 0,
        bold: bool = False,
    ) -> None:
        check_label("label", label)
        check_label("note", note, empty=True)
        check_choice("kind", kind, KINDS)
        for name, length in (("width", width), ("height", height)):
            check_length(name, length)
        self.label, self.kind, self.note, self.bold = label, kind, note, bold
        self.text_width = max(width_of(label, bold=bold), width_of(note, SMALL))
        self.text_height = height_of(label) + (height_of(note, SMALL) if note else 0)
        edge = 16 if kind in ROUND else 12
        super().__init__(
            max(width, self.text_width + 2 * edge, 40), max(height, self.text_height + 14)
        )

    def svg(self) -> str:
        top = self.center[1] - self.text_height / 2
        written = frame(self, self.kind)
        classes = " ".join(["tl-d-bold"] * self.bold + ["tl-d-quiet"] * (self.kind == "off"))
        written += text_svg(self.label, self.center[0], top, classes=classes)
        if self.note:
            below = top + height_of(self.label)
            written += text_svg(self.note, self.center[0], below, SMALL, "tl-d-quiet")
        return written


ROUND = {"norm", "residual"}  # kinds with round ends


def frame(node: Node, kind: str) -> str:
    """Write the frame of a node in the style of its kind; a node that is off is hatched."""
    x, y, width, height = node.x, node.y, node.width, node.height
    radius = height / 2 if kind in ROUND else 5
    rect = (
        f'<rect class="tl-d-box tl-d-{kind}" x="{px(x)}" y="{px(y)}" width="{px(width)}" '
        f'height="{px(height)}" rx="{px(min(radius, 18))}"/>'
    )
    return rect + (hatch(x, y, width, height) if kind == "off" else "")


def hatch(x: float, y: float, width: float, height: float, step: float = 9) -> str:
    """Write slanted lines over a rectangle, clipped at its edges."""
    lines = []
    for i in range(1, int((width + height) / step) + 1):
        offset = i * step  # the line x + y = offset, from the upper left corner
        left, top = max(0.0, offset - height), max(0.0, offset - width)
        lines.append(
            f"M{px(x + left)} {px(y + offset - left)}L{px(x + offset - top)} {px(y + top)}"
        )
    return f'<path class="tl-d-hatch" d="{"".join(lines)}"/>'


class Circle(Node):
    """A sign in a circle, such as + where two streams are added."""

    def __init__(self, sign: str = "+", kind: str = "residual") -> None:
        check_label("sign", sign)
        check_choice("kind", kind, KINDS)
        self.sign, self.kind = sign, kind
        side = max(28, width_of(sign) + 14)
        super().__init__(side, side)

    def svg(self) -> str:
        (x, y), radius = self.center, self.width / 2
        circle = (
            f'<circle class="tl-d-box tl-d-{self.kind}" cx="{px(x)}" cy="{px(y)}" '
            f'r="{px(radius)}"/>'
        )
        return circle + text_svg(self.sign, x, y - height_of(self.sign) / 2)


class Space(Node):
    """Empty space of a given size."""

    solid = False

    def __init__(self, width: float = 0, height: float = 0) -> None:
        check_length("width", width)
        check_length("height", height)
        super().__init__(width, height)


class Grid(Node):
    """Nodes in rows and columns that are as large as their largest nodes."""

    solid = False

    def __init__(
        self,
        rows: Sequence[Sequence[Node | None]],
        gap: float | tuple[float, float] = 28,
        align: str = "center",
        equal: bool = False,
    ) -> None:
        across, down = gap if isinstance(gap, tuple) else (gap, gap)
        check_length("gap", across)
        check_length("gap", down)
        check_choice("align", align, ALIGNS)
        self.rows, self.align = [list(row) for row in rows], align
        self.gap_across, self.gap_down = across, down
        nodes = self.nodes()
        if not nodes:
            raise ValueError("rows must hold at least one node, got none")
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError(f"rows must be equally long, got {[len(row) for row in self.rows]}")
        if equal:
            stretch(*nodes)
        self.columns = [_most(column, "width") for column in zip(*self.rows, strict=True)]
        self.lines = [_most(row, "height") for row in self.rows]
        super().__init__(
            sum(self.columns) + across * (len(self.columns) - 1),
            sum(self.lines) + down * (len(self.lines) - 1),
        )

    def nodes(self) -> list[Node]:
        found = [node for row in self.rows for node in row if node is not None]
        for node in found:
            if not isinstance(node, Node):
                came = f"{type(node).__name__}: {node!r:.60}"
                raise TypeError(f"a row, column or grid must hold nodes, got {came}")
        return found

    def place(self, x: float, y: float) -> None:
        super().place(x, y)
        share = ALIGNS.index(self.align) / 2
        single_row, single_column = len(self.rows) == 1, len(self.columns) == 1
        for i, row in enumerate(self.rows):
            top = y + sum(self.lines[:i]) + i * self.gap_down
            for j, node in enumerate(row):
                if node is None:
                    continue
                left = x + sum(self.columns[:j]) + j * self.gap_across
                across = share if single_column else 0.5
                down = share if single_row and not single_column else 0.5
                node.place(
                    left + (self.columns[j] - node.width) * across,
                    top + (self.lines[i] - node.height) * down,
                )

    def all(self) -> Iterator[Node]:
        yield self
        for node in self.nodes():
            yield from node.all()


def _most(nodes: Sequence[Node | None], size: str) -> float:
    return max((getattr(node, size) for node in nodes if node is not None), default=0)


def stretch(*nodes: Node) -> None:
    """Make boxes as wide as the widest of them; other nodes keep their width."""
    boxes = [node for node in nodes if isinstance(node, Box)]
    for box in boxes:
        box.width = max(other.width for other in boxes)


class Group(Node):
    """A frame with a title around a node; `edge` is the padding at its sides."""

    solid = False
    EDGE = 14

    def __init__(self, title: str, content: Node, note: str = "", edge: float = EDGE) -> None:
        check_label("title", title)
        check_label("note", note, empty=True)
        check_length("edge", edge)
        self.title, self.content, self.note = title, content, note
        head = width_of(title, bold=True) + (14 + width_of(note, SMALL) if note else 0)
        super().__init__(
            max(content.width + 2 * edge, head + 2 * self.EDGE),
            content.height + height_of(title) + 2 * self.EDGE,
        )

    def place(self, x: float, y: float) -> None:
        super().place(x, y)
        across = (self.width - self.content.width) / 2
        self.content.place(x + across, y + height_of(self.title) + self.EDGE)

    def all(self) -> Iterator[Node]:
        yield self
        yield from self.content.all()

    def svg(self) -> str:
        x, y = self.x + self.EDGE, self.y + 6
        written = (
            f'<rect class="tl-d-group" x="{px(self.x)}" y="{px(self.y)}" '
            f'width="{px(self.width)}" height="{px(self.height)}" rx="10"/>'
        )
        written += text_svg(self.title, x, y, classes="tl-d-bold", anchor="start")
        if self.note:
            right = self.x + self.width - self.EDGE
            written += text_svg(self.note, right, y + 2, SMALL, "tl-d-quiet", "end")
        return written


class Around(Node):
    """The rectangle around other nodes, which an arrow or a brace can point at."""

    solid = False

    def __init__(self, *nodes: Node) -> None:
        if not nodes:
            raise ValueError("around needs at least one node, got none")
        self.nodes = nodes
        super().__init__(0, 0)

    def settle(self) -> Self:
        """Move to the position of the nodes after they are placed."""
        self.x = min(node.x for node in self.nodes)
        self.y = min(node.y for node in self.nodes)
        self.width = max(node.x + node.width for node in self.nodes) - self.x
        self.height = max(node.y + node.height for node in self.nodes) - self.y
        return self
