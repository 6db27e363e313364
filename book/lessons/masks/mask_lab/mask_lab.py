"""The mask lab: pads, masks and what softmax makes of a row in which nothing is allowed."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, counted, panels, picture_table, rules, shared
from lessons.kit.figures.units import number
from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.masks import (
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)

SHARED = shared("mask_lab")
PANELS = (
    ("weights",),
    ("padding", "look_ahead", "combined"),
    ("embeddings", "scores", "masked"),
    ("plain", "lowered", "on_pads"),
)
EXACT = 2**53  # up to here JavaScript holds whole numbers exactly
#: This keeps every score far above the −1e9 that one convention writes for −∞.
SIZE = {"min": -1000, "max": 1000}


class MaskLab(LiveFigure):
    """Self-attention with identity projections under a padding mask and a look-ahead mask.

    Args:
        token_ids: the ids of the tokens, at least one.
        words: the words of the first tokens, as far as they are known.
        embeddings: one list of numbers a token, all of the same length, each number finite and
            at most 1000 in size. While a token is a pad its embedding counts as zeros.
        pad_id: the id that marks a pad, at least 0.
        padding: whether to apply the padding mask.
        outer: whether the padding mask is the outer product, which hides pads as queries too,
            instead of the key-broadcast one.
        causal: whether to apply the look-ahead mask.
        selected: the index of the row that is followed.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "mask_lab"
    printed = ("token_ids", "embeddings")

    token_ids = List(Int()).tag(sync=True, figure=True)
    words = List(Unicode()).tag(sync=True, figure=True)
    embeddings = List(List(Float())).tag(sync=True, figure=True, limits=SIZE)
    pad_id = Int(0).tag(sync=True, figure=True)
    padding = Bool(True).tag(sync=True, figure=True)
    outer = Bool(False).tag(sync=True, figure=True)
    causal = Bool(True).tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)

    def __init__(self, token_ids: list[int], embeddings: list[list[float]], **traits: Any):
        super().__init__(token_ids=token_ids, embeddings=embeddings, **traits)

    @staticmethod
    def problems(
        *,
        token_ids: list[int],
        embeddings: list[list[float]],
        pad_id: int,
        selected: int,
        **_: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(token_ids=token_ids, embeddings=embeddings)
        yield from rules.same_width("embeddings", embeddings)
        if pad_id < 0:
            yield f"pad_id must be at least 0, got {pad_id}"
        for name, token in [("pad_id", pad_id), *(("token_ids", token) for token in token_ids)]:
            if abs(token) > EXACT:
                yield f"{name} must be at most 2**53 in size, got {token}"
        yield from rules.index_of("selected", selected, len(token_ids))

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
        lowered = steps.scaled.masked_fill(~combined, SHARED["lowered"]).softmax(dim=-1)
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
        """Return every result as a table."""
        results = self.results()
        tables = (panels(*(self._table(key, results[key]) for key in row)) for row in PANELS)
        return f'<p class="tl-aside">{SHARED["question"]}</p>{"".join(tables)}'

    def _tokens(self) -> list[tuple[int, str]]:
        """Pair each id with its word; "" where none is known."""
        words = [*self.words, *[""] * len(self.token_ids)]
        return list(zip(self.token_ids, words, strict=False))

    def _table(self, key: str, values: Tensor) -> str:
        off = {"padding": not self.padding, "look_ahead": not self.causal}.get(key, False)
        width = len(self.embeddings[0])
        caption = SHARED["captions"][key].format(width=width, off=" (off)" if off else "")
        names = [
            f"{place} {'pad' if token == self.pad_id else word}".strip()
            for place, (token, word) in enumerate(self._tokens(), start=1)
        ]
        labelled = [f"{n}, id {token}" for n, token in zip(names, self.token_ids, strict=True)]
        entries = counted(self.embeddings[0])
        rows = labelled if key == "embeddings" else names
        columns = {"embeddings": entries, "on_pads": SHARED["conventions"]}.get(key, names)
        kind = "tl-mask" if values.dtype == torch.bool else ""
        digits = 3 if key in ("weights", "plain", "lowered") else 4
        write = partial(number, digits=digits)
        return picture_table(caption, values, rows, columns, kind, write)
