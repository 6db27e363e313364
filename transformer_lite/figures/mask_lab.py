"""The mask lab: pads, masks and what softmax makes of a row in which nothing is allowed."""

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, List, TraitError, validate

from transformer_lite.attention import attention_steps
from transformer_lite.figures._base import LiveFigure, picture_table
from transformer_lite.masks import (
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)

PANELS = (  # the captions of the tables by the result that each shows, as in mask_lab.js
    {
        "padding": "1 Padding mask",
        "look_ahead": "2 Look-ahead mask",
        "combined": "3 Combined: both are 1",
    },
    {
        "embeddings": "Embeddings x (a pad counts as zeros)",
        "scores": "4 Scores: x xᵀ / √{width}",
        "masked": "5 Masked scores",
    },
    {
        "plain": "6a Weights: −∞, plain softmax",
        "lowered": "6b Weights: −1e9 for −∞",
        "weights": "6c Weights: this package",
    },
    {"on_pads": "7 Weight on pads"},
)
PAD_COLUMNS = ["no padding mask", "−∞", "−1e9", "this package"]
EXACT = 2**53  # up to here JavaScript holds whole numbers exactly
LARGEST = 1000.0  # keeps every score far above the −1e9 that one convention writes for −∞


class MaskLab(LiveFigure):
    """Self-attention with identity projections under a padding mask and a look-ahead mask.

    Args:
        token_ids: the ids of the tokens, at least one.
        embeddings: one list of numbers a token, all of the same length, each number finite and
            at most 1000 in size. While a token is a pad its embedding counts as zeros.
        pad_id: the id that marks a pad.
        padding: whether to apply the padding mask.
        outer: whether the padding mask is the outer product, which hides pads as queries too,
            instead of the key-broadcast one.
        causal: whether to apply the look-ahead mask.
        selected: the index of the row that is followed.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "mask_lab"

    token_ids = List(Int()).tag(sync=True, figure=True)
    embeddings = List(List(Float())).tag(sync=True, figure=True)
    pad_id = Int(0).tag(sync=True, figure=True)
    padding = Bool(True).tag(sync=True, figure=True)
    outer = Bool(False).tag(sync=True, figure=True)
    causal = Bool(True).tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)

    def __init__(self, token_ids: list[int], embeddings: list[list[float]], **traits):
        super().__init__(token_ids=token_ids, embeddings=embeddings, **traits)

    @validate("token_ids")
    def _check_ids(self, proposal):
        ids = proposal.value
        self._check_counts(len(ids), len(self.embeddings))
        for token in ids:
            self._check_id("token_ids", token)
        return ids

    @validate("pad_id")
    def _check_pad_id(self, proposal):
        self._check_id("pad_id", proposal.value)
        return proposal.value

    @validate("embeddings")
    def _check_embeddings(self, proposal):
        rows = proposal.value
        self._check_counts(len(self.token_ids), len(rows))
        widths = sorted({len(row) for row in rows})
        if len(widths) != 1 or 0 in widths:
            raise TraitError(f"embeddings must share one length of at least 1, got {widths}")
        for x in (x for row in rows for x in row):
            if not abs(x) <= LARGEST:
                raise TraitError(f"embeddings must be at most {LARGEST:g} in size, got {x}")
        return rows

    @staticmethod
    def _check_counts(ids: int, rows: int) -> None:
        if ids != rows:
            raise TraitError(f"token_ids and embeddings must be equally many, got {ids} and {rows}")

    @staticmethod
    def _check_id(name: str, token: int) -> None:
        if abs(token) > EXACT:
            raise TraitError(f"{name} must be at most 2**53 in size, got {token}")

    @validate("selected")
    def _check_selected(self, proposal):
        count = len(self.token_ids)
        if not 0 <= proposal.value < count:
            raise TraitError(f"selected must satisfy 0 <= selected < {count}, got {proposal.value}")
        return proposal.value

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        T is the number of tokens. embeddings (T, D) with pads as zeros; the masks padding,
        look_ahead and combined, boolean (T, T); scores and masked (T, T); the softmax rows plain
        (−∞), lowered (−1e9) and weights (this package), each (T, T); on_pads (T, 4), the weight
        that each row gives to pads without a padding mask and under the three conventions.
        """
        ids = torch.tensor(self.token_ids)
        pads = ids == self.pad_id
        x = torch.tensor(self.embeddings, dtype=torch.float64).masked_fill(pads[:, None], 0.0)
        every = torch.ones(len(ids), len(ids), dtype=torch.bool)
        rule = outer_product_padding_mask if self.outer else padding_mask
        padding = combine_masks(every, rule(ids, self.pad_id)) if self.padding else every
        look_ahead = look_ahead_mask(len(ids)) if self.causal else every
        combined = combine_masks(padding, look_ahead)
        steps = attention_steps(x, x, x, combined)
        plain = steps.masked.softmax(dim=-1)
        lowered = steps.scaled.masked_fill(~combined, -1e9).softmax(dim=-1)
        unpadded = attention_steps(x, x, x, look_ahead).weights
        kinds = (unpadded, plain, lowered, steps.weights)
        return {
            "embeddings": x,
            "padding": padding,
            "look_ahead": look_ahead,
            "combined": combined,
            "scores": steps.scaled,
            "masked": steps.masked,
            "plain": plain,
            "lowered": lowered,
            "weights": steps.weights,
            "on_pads": torch.stack([weights[:, pads].sum(dim=-1) for weights in kinds], dim=-1),
        }

    def picture(self) -> str:
        names = [
            f"{place} pad" if token == self.pad_id else f"{place}"
            for place, token in enumerate(self.token_ids, start=1)
        ]
        labelled = [f"{n}, id {token}" for n, token in zip(names, self.token_ids, strict=True)]
        width = len(self.embeddings[0])
        rows = {"embeddings": labelled}
        columns = {"embeddings": [str(d + 1) for d in range(width)], "on_pads": PAD_COLUMNS}
        switched_off = {"padding": not self.padding, "look_ahead": not self.causal}
        results = self.results()

        def table(key: str, caption: str) -> str:
            caption = caption.format(width=width) + " (off)" * switched_off.get(key, False)
            kind = "tl-mask" if results[key].dtype == torch.bool else ""
            values = results[key].double()
            return picture_table(
                caption, values, rows.get(key, names), columns.get(key, names), kind
            )

        panels = ("".join(table(*item) for item in group.items()) for group in PANELS)
        return "".join(f'<div class="tl-panels">{panel}</div>' for panel in panels)

    def __repr__(self) -> str:
        return f"MaskLab(token_ids={self.token_ids!r}, embeddings={self.embeddings!r})"
