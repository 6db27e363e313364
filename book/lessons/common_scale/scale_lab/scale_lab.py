"""Scale lab: a table of two columns, four ways to scale it, and who is nearest to the first."""

import html
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Enum, Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, panels, picture_tables, rules, shared

SHARED = shared("scale_lab")
SCALINGS, DIVISORS = SHARED["scalings"], SHARED["divisors"]


class ScaleLab(LiveFigure):
    """A table of two features under four scalings, with the distances to its first row.

    A column is scaled by (x − center) / spread: "none" takes 0 and 1, "min–max" the smallest
    number and the range, "z-scores" the mean and the standard deviation, "median" the median and
    the median distance from it. A column whose spread is 0 becomes 0.

    Args:
        names: the names of the rows, 3 to 6 of them.
        features: the names of the two columns.
        table: two numbers a row; the first from 0 to 120, the second from 0 to 100 000.
        scaling: "none", "min–max", "z-scores" or "median".
        divisor: 1 or 1000, the divisor of the second column: its unit.
        row: the index of the row that the sliders change.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "scale_lab"
    printed = ("names", "features")

    names = List(Unicode()).tag(sync=True, figure=True, count=SHARED["rows"])
    features = List(Unicode()).tag(sync=True, figure=True, count={"min": 2, "max": 2})
    table = List(List(Float())).tag(sync=True, figure=True)
    scaling = Enum(SCALINGS, "none").tag(sync=True, figure=True)
    divisor = Int(1).tag(sync=True, figure=True, options=DIVISORS)
    row = Int(0).tag(sync=True, figure=True)

    def __init__(
        self, names: list[str], features: list[str], table: list[list[float]], **traits: Any
    ):
        super().__init__(names=names, features=features, table=table, **traits)

    @staticmethod
    def problems(
        *, names: list[str], table: list[list[float]], row: int, **_: Any
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(names=names, table=table)
        yield from rules.same_width("table", table, 2, 2)
        for column, limits in zip(zip(*table, strict=True), SHARED["numbers"], strict=True):
            yield from rules.between("table", column, limits)
        yield from rules.index_of("row", row, len(names))

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed in float64.

        With n rows: table (n, 2), in the chosen unit, scaled (n, 2), distances (n, 1).
        """
        unit = torch.tensor([1.0, self.divisor], dtype=torch.float64)
        table = torch.tensor(self.table, dtype=torch.float64) / unit
        center, spread = _center_and_spread(table, self.scaling)
        scaled = torch.where(spread > 0, (table - center) / spread, 0.0)
        distances = torch.linalg.vector_norm(scaled - scaled[0], dim=-1, keepdim=True)
        return {"table": table, "scaled": scaled, "distances": distances}

    def picture(self) -> str:
        """Return every result as a table, below what is chosen."""
        first = self.names[0]
        captions = {key: text.format(first=first) for key, text in SHARED["captions"].items()}
        names = dict.fromkeys(captions, (self.names, self.features))
        names["distances"] = (self.names, ["distance"])
        tables = picture_tables(captions, self.results(), names, {"distances": "tl-bars"})
        question = html.escape(SHARED["question"].format(first=first))
        settings = f"<p><b>Scaling: {self.scaling}</b></p>"
        return f'<p class="tl-aside">{question}</p>{settings}{panels(*tables)}'


def _center_and_spread(table: Tensor, scaling: str) -> tuple[Tensor, Tensor]:
    """Return the center and the spread of each column."""
    if scaling == "min–max":
        low, high = table.aminmax(dim=0)
        return low, high - low
    if scaling == "z-scores":
        variance, mean = torch.var_mean(table, dim=0, correction=0)
        return mean, variance.sqrt()
    if scaling == "median":
        middle = table.quantile(0.5, dim=0)
        return middle, (table - middle).abs().quantile(0.5, dim=0)
    return torch.zeros_like(table[0]), torch.ones_like(table[0])
