"""The norm axes: choose a number, see which numbers share its mean and standard deviation."""

import html

import torch
from torch import Tensor
from traitlets import Enum, Int, List, TraitError, Unicode, default, validate
from traitlets import Float as FloatTrait

from transformer_lite.figures._base import LiveFigure, number, picture_table
from transformer_lite.norms import batch_norm, group_norm, instance_norm, layer_norm, rms_norm

NORMS = ["layer", "batch", "instance", "group", "RMS"]
LARGEST = 20.0  # the ends of the slider, so that one number can become an outlier
MEAN_AND_SPREAD = ["numbers", "μ", "σ"]
ONLY_SIZE = ["numbers", "taken off", "RMS"]


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

    tokens = List(List(Unicode())).tag(sync=True, figure=True)
    table = List(List(List(FloatTrait()))).tag(sync=True, figure=True)
    norm = Enum(NORMS, "layer").tag(sync=True, figure=True)
    num_groups = Int().tag(sync=True, figure=True)
    eps = FloatTrait(1e-5).tag(sync=True, figure=True)
    token = Int(0).tag(sync=True, figure=True)
    feature = Int(0).tag(sync=True, figure=True)

    def __init__(self, tokens: list[list[str]], table: list[list[list[float]]], **traits):
        super().__init__(tokens=tokens, table=table, **traits)

    @default("num_groups")
    def _two_if_possible(self):
        return 1 if len(self.table[0][0]) % 2 else 2

    @validate("tokens", "table")
    def _check_table(self, proposal):
        parts = {"tokens": self.tokens, "table": self.table}
        parts[proposal.trait.name] = proposal.value
        lengths = {name: [len(sentence) for sentence in part] for name, part in parts.items()}
        if len({*lengths["tokens"], *lengths["table"]}) != 1 or (
            len(lengths["tokens"]) != len(lengths["table"])
        ):
            raise TraitError(
                f"tokens and table must hold equally many tokens in each sentence, got {lengths}"
            )
        rows = [row for sentence in parts["table"] for row in sentence]
        widths = sorted({len(row) for row in rows})
        if len(widths) != 1 or not 1 <= widths[0] <= 6:
            raise TraitError(f"table must have rows of one length from 1 to 6, got {widths}")
        for x in (x for row in rows for x in row):
            if not abs(x) <= LARGEST:
                raise TraitError(f"table must lie between -{LARGEST:g} and {LARGEST:g}, got {x}")
        return proposal.value

    @validate("num_groups")
    def _check_groups(self, proposal):
        width = len(self.table[0][0])
        if proposal.value < 1 or width % proposal.value:
            raise TraitError(f"num_groups must divide the width {width}, got {proposal.value}")
        return proposal.value

    @validate("eps")
    def _check_eps(self, proposal):
        if not 0 <= proposal.value <= 1:
            raise TraitError(f"eps must satisfy 0 <= eps <= 1, got {proposal.value}")
        return proposal.value

    @validate("token", "feature")
    def _check_place(self, proposal):
        name = proposal.trait.name
        count = len(self._words()) if name == "token" else len(self.table[0][0])
        if not 0 <= proposal.value < count:
            raise TraitError(f"{name} must satisfy 0 <= {name} < {count}, got {proposal.value}")
        return proposal.value

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
        norms = {"layer": layer_norm, "batch": batch_norm, "instance": instance_norm}
        return (norms | {"RMS": rms_norm})[self.norm](x, eps=self.eps)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        N is the number of tokens in all sentences and G the number of groups. table (N, D);
        groups (N, D), the group of every number, counted from 1; shared (N, D), whether a number
        is in the group of the chosen one; statistics (G, 3): how many numbers, the mean that is
        taken off, and the root mean square of what is left; normalized (N, D).
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
        results, words = self.results(), self._words()
        heads = [str(d + 1) for d in range(len(self.table[0][0]))]
        chosen = results["groups"][self.token, self.feature]
        groups = [f"group {g + 1}" for g in range(len(results["statistics"]))]
        names = ONLY_SIZE if self.norm == "RMS" else MEAN_AND_SPREAD
        tables = [
            picture_table("1 Numbers x", results["table"], words, heads),
            picture_table("2 Group of each number", results["groups"].double(), words, heads),
            picture_table("3 Statistics of each group", results["statistics"], groups, names),
            picture_table("4 Normalized", results["normalized"], words, heads),
        ]
        return (
            f"<p><b>{self.norm} normalization</b>, ε = {self.eps:g}. "
            f"{html.escape(words[self.token])}, feature {self.feature + 1}, "
            f"is in group {number(chosen.item())}.</p>"
            f'<div class="tl-panels">{"".join(tables)}</div>'
        )

    def __repr__(self) -> str:
        return f"NormAxes(tokens={self.tokens!r}, norm={self.norm!r})"
