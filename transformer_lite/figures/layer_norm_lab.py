"""The layer-norm lab: one token step by step, and a table by rows or by columns."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float as FloatArray
from torch import Tensor
from traitlets import Bool, Enum, Float, Int, List, TraitError, Unicode, default, validate

from transformer_lite.figures._base import LiveFigure, number, picture_table
from transformer_lite.norms import LayerNormSteps, batch_norm, layer_norm_steps

LOW, HIGH = -10.0, 16.0  # the ends of a slider: the documents' examples lie between them


class GroupSteps(NamedTuple):
    """A normalized table and, for each group of numbers, the statistics that it shares."""

    mean: FloatArray[Tensor, " G"]
    std: FloatArray[Tensor, " G"]
    root: FloatArray[Tensor, " G"]
    normalized: FloatArray[Tensor, "B D"]


class LayerNormLab(LiveFigure):
    """Layer normalization of one token, and layer beside batch normalization on a table.

    Args:
        values: the features of the one token, 2 to 8 numbers from −10 to 16.
        tokens: the names of the table's rows.
        table: one list of numbers a token, all of the same length.
        pads: for each row, whether it is a pad; at least one is not.
        view: "token" or "table", what is shown first.
        gamma: γ, one number a feature from −10 to 10; ones if left out.
        beta: β, likewise; zeros if left out.
        eps: ε, from 0 to 1.
        unbiased: divide by n − 1 in place of n (one token only).
        eps_inside: √(σ² + ε) in place of √σ² + ε (one token only).
        axis: "layer" or "batch", whose numbers share statistics in the table.
        count_pads: whether the pads count in the statistics of a column.
        selected: the index of the row or column that is followed.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "layer_norm_lab"

    view = Enum(["token", "table"], "token").tag(sync=True, figure=True)
    values = List(Float()).tag(sync=True, figure=True)
    gamma = List(Float()).tag(sync=True, figure=True)
    beta = List(Float()).tag(sync=True, figure=True)
    eps = Float(1e-5).tag(sync=True, figure=True)
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
        **traits,
    ):
        rows = [list(row) for row in table]
        super().__init__(
            values=list(values), tokens=list(tokens), table=rows, pads=list(pads), **traits
        )

    @default("gamma")
    def _ones(self):
        return [1.0] * len(self.values)

    @default("beta")
    def _zeros(self):
        return [0.0] * len(self.values)

    def _with(self, proposal, *names: str) -> dict:
        """Return these traits as they would be if the proposed value were accepted."""
        proposed = {proposal.trait.name: proposal.value}
        return {name: proposed.get(name, getattr(self, name)) for name in names}

    @validate("values", "gamma", "beta")
    def _check_features(self, proposal):
        name, numbers = proposal.trait.name, proposal.value
        features = self._with(proposal, "values", "gamma", "beta")
        sizes = {trait: len(value) for trait, value in features.items()}
        if len(set(sizes.values())) != 1:
            raise TraitError(f"values, gamma and beta must be equally many, got {sizes}")
        if not 2 <= len(numbers) <= 8:
            raise TraitError(f"{name} must be 2 to 8 numbers, got {len(numbers)}")
        low, high = (LOW, HIGH) if name == "values" else (-10.0, 10.0)
        for x in numbers:
            if not low <= x <= high:
                raise TraitError(f"{name} must lie between {low:g} and {high:g}, got {x}")
        return numbers

    @validate("eps")
    def _check_eps(self, proposal):
        if not 0 <= proposal.value <= 1:
            raise TraitError(f"eps must satisfy 0 <= eps <= 1, got {proposal.value}")
        return proposal.value

    @validate("tokens", "table", "pads")
    def _check_table(self, proposal):
        parts = self._with(proposal, "tokens", "table", "pads")
        sizes = {trait: len(value) for trait, value in parts.items()}
        if len(set(sizes.values())) != 1:
            raise TraitError(f"tokens, table and pads must be equally many, got {sizes}")
        if all(parts["pads"]):
            raise TraitError(f"pads must leave at least one real token, got {parts['pads']}")
        widths = {len(row) for row in parts["table"]}
        if len(widths) != 1 or 0 in widths:
            raise TraitError(f"table must have rows of one length, at least 1, got {widths}")
        if not all(math.isfinite(x) for row in parts["table"] for x in row):
            raise TraitError(f"table must hold finite numbers, got {parts['table']}")
        return proposal.value

    @validate("selected", "axis")
    def _check_selected(self, proposal):
        new = self._with(proposal, "selected", "axis")
        groups = self.table if new["axis"] == "layer" else self.table[0]
        if not 0 <= new["selected"] < len(groups):
            raise TraitError(
                f"selected must be from 0 to {len(groups) - 1} for axis={new['axis']!r}, "
                f"got {new['selected']}"
            )
        return proposal.value

    def steps(self) -> LayerNormSteps:
        """Return every number of the one token, computed by the package in float64."""
        x, weight, bias = torch.tensor(
            [self.values, self.gamma, self.beta], dtype=torch.float64
        ).unbind()
        steps = layer_norm_steps(x, weight, bias, self.eps)
        if self.eps_inside and not self.unbiased:
            return steps
        variance = x.var(correction=int(self.unbiased)).unsqueeze(0)
        std = (variance + self.eps).sqrt() if self.eps_inside else variance.sqrt() + self.eps
        normalized = steps.centered / std
        output = normalized * weight + bias
        return steps._replace(variance=variance, std=std, normalized=normalized, output=output)

    def groups(self) -> GroupSteps:
        """Return every number of the table's view, computed by the package in float64."""
        x = torch.tensor(self.table, dtype=torch.float64)
        real = ~torch.tensor(self.pads) | self.count_pads
        if self.axis == "layer":
            variance, mean = torch.var_mean(x, dim=-1, correction=0)
            normalized = layer_norm_steps(x, eps=self.eps).normalized
        else:
            variance, mean = torch.var_mean(x[real], dim=0, correction=0)
            normalized = batch_norm(x, real, self.eps)
        return GroupSteps(mean, variance.sqrt(), (variance + self.eps).sqrt(), normalized)

    def results(self) -> LayerNormSteps | GroupSteps:
        """Return the tensors of the view that is shown: `steps()` or `groups()`."""
        return self.steps() if self.view == "token" else self.groups()

    def picture(self) -> str:
        return f'<div class="tl-panels">{self._picture_of_token()}{self._picture_of_table()}</div>'

    def _picture_of_token(self) -> str:
        steps = self.steps()
        rows = {
            "value x": torch.tensor(self.values),
            "2 centered x − μ": steps.centered,
            "3 squared (x − μ)²": steps.centered.square(),
            "6 normalized": steps.normalized,
            "gain γ": torch.tensor(self.gamma),
            "shift β": torch.tensor(self.beta),
            "7 output": steps.output,
        }
        heads = [str(i + 1) for i in range(len(self.values))]
        table = picture_table("One token", torch.stack(list(rows.values())), list(rows), heads)
        root = "√(σ² + ε)" if self.eps_inside else "√σ² + ε"
        scalars = (
            f"<p>1 mean μ = {number(steps.mean.item())}<br>"
            f"4 variance σ² = {number(steps.variance.item())}<br>"
            f"5 root {root} = {number(steps.std.item())}, with ε = {self.eps:g}</p>"
        )
        return f"<div>{table}{scalars}</div>"

    def _picture_of_table(self) -> str:
        steps = self.groups()
        heads = [f"P{d + 1}" for d in range(len(self.table[0]))]
        stats = torch.stack([steps.mean, steps.std, steps.root])
        names, across = ["μ", "σ", "√(σ² + ε)"], "row" if self.axis == "layer" else "column"
        shape = (stats.T, self.tokens, names) if across == "row" else (stats, names, heads)
        tables = [
            picture_table("A table of tokens", self.table, self.tokens, heads),
            picture_table(f"Statistics of each {across}", *shape),
            picture_table(f"Each {across} normalized", steps.normalized, self.tokens, heads),
        ]
        return "".join(tables)

    def __repr__(self) -> str:
        return f"LayerNormLab(values={self.values!r}, tokens={self.tokens!r})"
