"""Norm axes: choose a number and see which numbers share its mean and standard deviation."""

import html
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor
from traitlets import Enum, Int, List, Unicode, default
from traitlets import Float as FloatTrait

from lessons.kit.figures import LiveFigure, counted, panels, picture_tables, rules, shared
from lessons.kit.figures.units import number
from transformer_lite.layers.norms import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    rms_norm,
)

SHARED = shared("norm_axes")
NORMS = SHARED["norms"]
MOST_FEATURES = 6


short = partial(number, digits=2)
WRITERS = dict.fromkeys(("table", "normalized"), short)  # other tables write all digits


class NormAxes(LiveFigure):
    """A batch of tokens under five normalizations, group by group.

    Args:
        tokens: the words, one list a sentence; all sentences have the same number T of tokens.
        table: the features: one table (T, D) a sentence, 1 ≤ D ≤ 6, numbers from −20 to 20.
        norm: "layer", "batch", "instance", "group" or "RMS".
        num_groups: the number of groups of features, a divisor of D; only "group" uses it. If
            left out, 2 for an even D and 1 for an odd one.
        eps: ε, from 0 to 1.
        token: the index of the chosen token, counted through all sentences.
        feature: the index of the chosen feature.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "norm_axes"
    printed = ("tokens", "norm")

    tokens = List(List(Unicode())).tag(sync=True, figure=True)
    table = List(List(List(FloatTrait()))).tag(sync=True, figure=True, limits=SHARED["number"])
    norm = Enum(NORMS, "layer").tag(sync=True, figure=True)
    num_groups = Int().tag(sync=True, figure=True)
    eps = FloatTrait(1e-5).tag(sync=True, figure=True, limits={"min": 0, "max": 1})
    token = Int(0).tag(sync=True, figure=True)
    feature = Int(0).tag(sync=True, figure=True)

    def __init__(self, tokens: list[list[str]], table: list[list[list[float]]], **traits: Any):
        super().__init__(tokens=tokens, table=table, **traits)

    @default("num_groups")
    def _two_if_possible(self) -> int:
        widths = [len(row) for sentence in self.table for row in sentence]
        return 2 if widths and widths[0] % 2 == 0 else 1

    @staticmethod
    def problems(
        *,
        tokens: list[list[str]],
        table: list[list[list[float]]],
        num_groups: int,
        token: int,
        feature: int,
        **_: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        lengths = [[len(sentence) for sentence in part] for part in (tokens, table)]
        if lengths[0] != lengths[1] or len(set(lengths[0])) != 1:
            named = dict(zip(("tokens", "table"), lengths, strict=True))
            yield f"tokens and table must hold equally many tokens in each sentence, got {named}"
        rows = [row for sentence in table for row in sentence]
        yield from rules.same_width("table", rows, 1, MOST_FEATURES)
        width = len(rows[0])
        if num_groups < 1 or width % num_groups:
            yield f"num_groups must divide the width {width}, got {num_groups}"
        yield from rules.index_of("token", token, len(rows))
        yield from rules.index_of("feature", feature, width)

    def _words(self) -> list[str]:
        return [f"{b} {word}" for b, row in enumerate(self.tokens, start=1) for word in row]

    def _groups(self, shape: torch.Size) -> Tensor:
        """Return for every number the index of its group, shape (B, T, D)."""
        b, t, d = torch.meshgrid(*map(torch.arange, shape), indexing="ij")
        _, length, width = shape
        return {
            "layer": b * length + t,
            "RMS": b * length + t,
            "batch": d,
            "instance": b * width + d,
            "group": b * self.num_groups + d // (width // self.num_groups),
        }[self.norm]

    def _normalized(self, x: Tensor) -> Tensor:
        if self.norm == "group":
            return group_norm(x, self.num_groups, eps=self.eps)
        norms: dict[str, Callable[..., Tensor]] = {
            "layer": layer_norm,
            "batch": batch_norm,
            "instance": instance_norm,
            "RMS": rms_norm,
        }
        return norms[self.norm](x, eps=self.eps)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        N is the number of tokens in all sentences and G the number of groups. table (N, D);
        groups (N, D), the group of every number, counted from 1; shared (N, D), whether a number
        is in the group of the chosen one; statistics (G, 3): how many numbers, the mean that is
        subtracted, and the root mean square after that; normalized (N, D).
        """
        x = torch.tensor(self.table, dtype=torch.float64)
        groups = self._groups(x.shape)
        rows = []
        for group in range(int(groups.max()) + 1):
            members = x[groups == group]
            mean = members.mean() * (self.norm != "RMS")
            spread = (members - mean).square().mean()
            rows.append([len(members), mean, spread.sqrt()])
        flat = groups.flatten(0, 1)
        return {
            "table": x.flatten(0, 1),
            "groups": flat + 1,
            "shared": flat == flat[self.token, self.feature],
            "statistics": torch.tensor(rows, dtype=torch.float64),
            "normalized": self._normalized(x).flatten(0, 1),
        }

    def picture(self) -> str:
        """Return every result as a table, below what is chosen."""
        results, words = self.results(), self._words()
        heads = counted(self.table[0][0])
        chosen = results["groups"][self.token, self.feature]
        groups = [f"group {g + 1}" for g in range(len(results["statistics"]))]
        statistics = SHARED["statistics"]["size" if self.norm == "RMS" else "spread"]
        names = dict.fromkeys(results, (words, heads)) | {"statistics": (groups, statistics)}
        tables = picture_tables(SHARED["captions"], results, names, writers=WRITERS)
        return (
            f"<p>{SHARED['question']}</p>"
            f"<p><b>{self.norm} normalization</b>, ε = {self.eps:g}. "
            f"{html.escape(words[self.token])}, feature {self.feature + 1}, "
            f"is in group {number(chosen.item())}.</p>"
            f"{panels(*tables)}"
        )
