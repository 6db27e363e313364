"""The layer-norm lab: one token step by step, and a table by rows or by columns."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Enum, Float, Int, List, Unicode, default

from lessons.kit.figures import LiveFigure, counted, panels, picture_table, rules, shared
from lessons.kit.figures.units import number
from transformer_lite.layers.norms import batch_norm, layer_norm_steps

SHARED = shared("layer_norm_lab")


class LayerNormLab(LiveFigure):
    """Layer normalization of one token, and layer and batch normalization of a table.

    Args:
        values: the features of the one token, 2 to 8 numbers from −10 to 16.
        tokens: the names of the table's rows.
        table: one list of numbers a token, all of the same length.
        pads: for each row, whether it is a pad; at least one is not.
        view: "token" or "table", what is shown first.
        gamma: γ, one number a feature from −10 to 10; ones if left out.
        beta: β, likewise; zeros if left out.
        eps: ε, from 0 to 1.
        unbiased: divide by n − 1 instead of n (one token only).
        eps_inside: √(σ² + ε) instead of √σ² + ε (one token only).
        axis: "layer" or "batch", the axis of the table's statistics.
        count_pads: whether the pads count in the statistics of a column.
        selected: the index of the row or column that is outlined.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "layer_norm_lab"
    printed = ("values", "tokens")

    view = Enum(["token", "table"], "token").tag(sync=True, figure=True)
    values = List(Float()).tag(
        sync=True, figure=True, count=SHARED["features"], limits=SHARED["value"]
    )
    gamma = List(Float()).tag(sync=True, figure=True, limits=SHARED["factor"])
    beta = List(Float()).tag(sync=True, figure=True, limits=SHARED["factor"])
    eps = Float(1e-5).tag(sync=True, figure=True, limits={"min": 0, "max": 1})
    unbiased = Bool(False).tag(sync=True, figure=True)
    eps_inside = Bool(True).tag(sync=True, figure=True)
    tokens = List(Unicode()).tag(sync=True, figure=True)
    table = List(List(Float())).tag(sync=True, figure=True)
    pads = List(Bool()).tag(sync=True, figure=True)
    axis = Enum(["layer", "batch"], "layer").tag(sync=True, figure=True)
    count_pads = Bool(True).tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)

    def __init__(
        self,
        values: list[float],
        tokens: list[str],
        table: list[list[float]],
        pads: list[bool],
        **traits: Any,
    ):
        super().__init__(values=values, tokens=tokens, table=table, pads=pads, **traits)

    @default("gamma")
    def _ones(self) -> list[float]:
        return [1.0] * len(self.values)

    @default("beta")
    def _zeros(self) -> list[float]:
        return [0.0] * len(self.values)

    @staticmethod
    def problems(
        *,
        values: list[float],
        gamma: list[float],
        beta: list[float],
        tokens: list[str],
        table: list[list[float]],
        pads: list[bool],
        axis: str,
        selected: int,
        **_: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(values=values, gamma=gamma, beta=beta)
        yield from rules.same_length(tokens=tokens, table=table, pads=pads)
        yield from rules.same_width("table", table)
        if all(pads):
            yield f"pads must leave at least one real token, got {pads}"
        if not all(math.isfinite(x) for row in table for x in row):
            yield f"table must hold finite numbers, got {table}"
        yield from rules.index_of("selected", selected, len(table if axis == "layer" else table[0]))

    def results(self) -> dict[str, Tensor]:
        """Return the numbers of the view that is shown, by name, by the package in float64.

        One token of D features: mean, variance and std (1,), centered, squared, normalized and
        output (D,). A table (T, D): table and normalized, both (T, D), and row_statistics (T, 3)
        or column_statistics (3, D): mean, standard deviation, and the root with ε.
        """
        return self._token_results() if self.view == "token" else self._table_results()

    def _token_results(self) -> dict[str, Tensor]:
        features = [self.values, self.gamma, self.beta]
        x, weight, bias = torch.tensor(features, dtype=torch.float64)
        steps = layer_norm_steps(x, weight, bias, self.eps)
        squared = steps.centered.square()
        if self.eps_inside and not self.unbiased:
            return steps._asdict() | {"squared": squared}
        variance = x.var(correction=int(self.unbiased)).unsqueeze(0)
        std = (variance + self.eps).sqrt() if self.eps_inside else variance.sqrt() + self.eps
        normalized = steps.centered / std
        changed = steps._replace(
            variance=variance, std=std, normalized=normalized, output=normalized * weight + bias
        )
        return changed._asdict() | {"squared": squared}

    def _table_results(self) -> dict[str, Tensor]:
        x = torch.tensor(self.table, dtype=torch.float64)
        real = ~torch.tensor(self.pads) | self.count_pads
        if self.axis == "layer":
            variance, mean = torch.var_mean(x, dim=-1, correction=0)
            normalized = layer_norm_steps(x, eps=self.eps).normalized
        else:
            variance, mean = torch.var_mean(x[real], dim=0, correction=0)
            normalized = batch_norm(x, real, self.eps)
        columns = torch.stack([mean, variance.sqrt(), (variance + self.eps).sqrt()])
        shown = {"row_statistics": columns.T} if self.axis == "layer" else {}
        shown = shown or {"column_statistics": columns}
        return {"table": x, **shown, "normalized": normalized}

    def picture(self) -> str:
        """Return both views as tables."""
        question = f"<p>{SHARED['question']}</p>"
        return question + panels(self._picture_of_token(), self._picture_of_table())

    def _picture_of_token(self) -> str:
        names, results = SHARED["steps"], self._token_results()
        for name in ("values", "gamma", "beta"):
            results[name] = torch.tensor(getattr(self, name), dtype=torch.float64)
        rows = [name for name in names if len(results[name]) == len(self.values)]
        values = torch.stack([results[name] for name in rows])
        heads = counted(self.values)
        captions = SHARED["captions"]
        table = picture_table(captions["token"], values, [names[name] for name in rows], heads)
        mean, variance, std = (number(results[name].item()) for name in ("mean", "variance", "std"))
        root = "√(σ² + ε)" if self.eps_inside else "√σ² + ε"
        scalars = (
            f"<p>{names['mean']} = {mean}<br>{names['variance']} = {variance}<br>"
            f"{names['std']} {root} = {std}, with ε = {self.eps:g}</p>"
        )
        return f"<div>{table}{scalars}</div>"

    def _picture_of_table(self) -> str:
        features = [f"P{d + 1}" for d in range(len(self.table[0]))]
        statistics = SHARED["statistics"]
        names = {
            "row_statistics": (self.tokens, statistics),
            "column_statistics": (statistics, features),
        }
        return "".join(
            picture_table(SHARED["captions"][key], values, *names.get(key, (self.tokens, features)))
            for key, values in self._table_results().items()
        )
