"""Grids of numbers: shaded cells between brackets, with names of rows and columns and a shape."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lessons.kit.diagrams.nodes import (
    KINDS,
    SIDES,
    Around,
    Node,
    check_label,
    hatch,
)
from lessons.kit.diagrams.text import (
    SMALL,
    height_of,
    px,
    text_svg,
    width_of,
)
from lessons.kit.figures.units import number
from transformer_lite.checks import check_choice

DEEPEST = 0.36  # the opacity for the largest number; text stays readable on it


class Cell(Node):
    """One entry of a grid: its text, its shade, and whether it is off or lit."""

    def __init__(self, label: str, kind: str, depth: float, off: bool, lit: bool) -> None:
        self.label, self.kind, self.depth, self.off, self.lit = label, kind, depth, off, lit
        super().__init__(width_of(label) + 14 if label else 28, 30)

    def svg(self) -> str:
        x, y, width, height = self.x, self.y, self.width, self.height
        place = f'x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}"'
        written = ""
        if self.off:
            written += hatch(x, y, width, height, 8)
        elif self.depth:
            shade = f'fill-opacity="{self.depth * DEEPEST:.2f}"'
            written += f'<rect class="tl-d-heat tl-d-{self.kind}" {place} {shade}/>'
        written += f'<rect class="tl-d-cell{" tl-d-lit" if self.lit else ""}" {place}/>'
        if self.label:
            top = self.center[1] - height_of(self.label) / 2
            classes = "tl-d-number" + (" tl-d-quiet" if self.off else "")
            written += text_svg(self.label, self.center[0], top, classes=classes)
        return written


class Matrix(Node):
    """A grid of cells. Arrows and braces can point at `cell(i, j)`, `row(i)` and `column(j)`."""

    solid = False

    def __init__(
        self,
        values: Any,
        kind: str = "data",
        name: str = "",
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        shape: str = "",
        digits: int = 2,
        off: Any = None,
        lit: Iterable[tuple[int, int]] = (),
        shaded: bool = True,
        brackets: bool = True,
    ) -> None:
        table = _table("values", values)
        check_choice("kind", kind, KINDS)
        for argument, label in (("name", name), ("shape", shape)):
            check_label(argument, label, empty=True)
        for argument, names, size in (
            ("rows", rows, len(table)),
            ("columns", columns, len(table[0])),
        ):
            if names and len(names) != size:
                raise ValueError(f"{argument} must hold {size} names, got {len(names)}")
        self.kind, self.name, self.shape = kind, name, shape
        self.row_names, self.column_names, self.brackets = list(rows), list(columns), brackets
        self.cells = _cells(table, kind, digits, off, set(lit), shaded)
        wide = max(cell.width for row in self.cells for cell in row)
        wide = max([wide, *(width_of(label, SMALL) + 10 for label in columns)])
        for cell in (cell for row in self.cells for cell in row):
            cell.width = wide
        self._measure()

    def _measure(self) -> None:
        """Compute the sizes of the names and brackets around the cells, and the total size."""
        cells, high = self.cells, self.cells[0][0].height
        bracket = 6 if self.brackets else 0
        names = max((width_of(label, SMALL) for label in self.row_names), default=0)
        inner = len(cells[0]) * cells[0][0].width
        self.left = bracket + (names + 8 if names else 0)
        around = max(width_of(self.name, bold=True), width_of(self.shape, SMALL))
        width = max(self.left + inner + bracket, around)
        self.shift = (width - self.left - inner - bracket) / 2
        self.head = (height_of(self.name) if self.name else 0) + (
            height_of("x", SMALL) + 2 if self.column_names else 0
        )
        foot = height_of(self.shape, SMALL) + 3 if self.shape else 0
        super().__init__(width, self.head + len(cells) * high + foot + 2)

    def place(self, x: float, y: float) -> None:
        super().place(x, y)
        for i, row in enumerate(self.cells):
            for j, cell in enumerate(row):
                cell.place(
                    x + self.shift + self.left + j * cell.width, y + self.head + i * cell.height
                )

    def all(self) -> Iterator[Node]:
        yield self
        for row in self.cells:
            yield from row

    def cell(self, i: int, j: int) -> Node:
        """Return the cell of row `i` and column `j`, counted from 0."""
        self._check("i", i, len(self.cells))
        self._check("j", j, len(self.cells[0]))
        return self.cells[i][j]

    def row(self, i: int) -> Node:
        """Return all cells of row `i`, counted from 0."""
        self._check("i", i, len(self.cells))
        return Around(*self.cells[i])

    def column(self, j: int) -> Node:
        """Return all cells of column `j`, counted from 0."""
        self._check("j", j, len(self.cells[0]))
        return Around(*(row[j] for row in self.cells))

    def _check(self, name: str, place: int, size: int) -> None:
        if not 0 <= place < size:
            raise ValueError(f"{name} must lie between 0 and {size - 1}, got {place}")

    @property
    def body(self) -> Node:
        """All cells, without names and shape."""
        return Around(*(cell for row in self.cells for cell in row)).settle()

    def port(self, side: str) -> tuple[float, float]:
        """Return the point where an arrow meets the cells: in their middle, outside any mark."""
        body, bracket = self.body, 6 if self.brackets else 0
        (x, y), (across, _) = body.center, SIDES[side]
        if across:  # ignore a long name above the cells
            edge = body.x - self.left if across < 0 else body.x + body.width + bracket
            return edge, y
        return x, super().port(side)[1]

    def svg(self) -> str:
        body = self.body
        middle = body.center[0]
        written = text_svg(self.name, middle, self.y, classes="tl-d-bold") if self.name else ""
        for label, cell in zip(self.column_names, self.cells[0], strict=False):
            top = body.y - height_of(label, SMALL) - 2
            written += text_svg(label, cell.center[0], top, SMALL, "tl-d-quiet")
        for label, row in zip(self.row_names, self.cells, strict=False):
            top, right = row[0].center[1] - height_of(label, SMALL) / 2, body.x - self.left
            right += self.left - (14 if self.brackets else 8)
            written += text_svg(label, right, top, SMALL, "tl-d-quiet", "end")
        if self.shape:
            below = body.y + body.height + 4
            written += text_svg(self.shape, middle, below, SMALL, "tl-d-quiet")
        return written + (self._brackets(body) if self.brackets else "")

    def _brackets(self, body: Node) -> str:
        top, down = px(body.y - 2), px(body.y + body.height + 2)
        left, right = body.x - 4, body.x + body.width + 4
        return (
            f'<path class="tl-d-bracket tl-d-{self.kind}" d="M{px(left + 5)} {top}H{px(left)}'
            f'V{down}H{px(left + 5)}M{px(right - 5)} {top}H{px(right)}V{down}H{px(right - 5)}"/>'
        )


def _table(name: str, values: Any) -> list[list[Any]]:
    rows = values.tolist() if hasattr(values, "tolist") else values
    rectangle = isinstance(rows, (list, tuple)) and all(
        isinstance(row, (list, tuple)) and len(row) == len(rows[0]) > 0 for row in rows
    )
    if not rectangle or not rows:
        raise ValueError(f"{name} must be rows of equal length, at least one, got {rows!r:.60}")
    return [list(row) for row in rows]


def _cells(
    table: list[list[Any]],
    kind: str,
    digits: int,
    off: Any,
    lit: set[tuple[int, int]],
    shaded: bool,
) -> list[list[Cell]]:
    hidden = [[False] * len(table[0]) for _ in table] if off is None else _table("off", off)
    if [len(row) for row in hidden] != [len(row) for row in table]:
        came = (len(hidden), len(hidden[0]))
        raise ValueError(f"off must have shape {(len(table), len(table[0]))}, got {came}")
    sizes = [abs(x) for row in table for x in row if _is_number(x) and abs(x) < float("inf")]
    top = max([1e-9, *sizes])

    def cell(i: int, j: int) -> Cell:
        value = table[i][j]
        label = number(value, digits) if _is_number(value) else str(value)
        finite = shaded and _is_number(value) and abs(value) < float("inf")
        depth = abs(value) / top if finite else 0
        return Cell(label, kind, depth, bool(hidden[i][j]), (i, j) in lit)

    return [[cell(i, j) for j in range(len(row))] for i, row in enumerate(table)]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
