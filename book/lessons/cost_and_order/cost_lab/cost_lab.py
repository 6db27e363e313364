"""The cost lab: what a stack of Transformer layers multiplies and holds, part by part."""

from functools import partial

import torch
from torch import Tensor
from traitlets import Bool, Int

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from lessons.kit.figures.units import short
from transformer_lite.layers.complexity import attention_cost

SHARED = shared("cost_lab")

#: How each table writes its numbers.
WRITERS = {
    "parts": partial(short, units=SHARED["units"]),
    "memory": partial(short, units=SHARED["byte_units"]),
    "rivals": partial(short, units=SHARED["units"]),
}


class CostLab(LiveFigure):
    """Multiply–adds and memory of encoder layers for one text, counted from their sizes.

    A layer is multi-head attention and a feed-forward network of inner width 4D, without biases.
    The tables next to it show one recurrent and one convolutional layer of the same width.

    Args:
        tokens: T, a power of two from 16 to 131072.
        d_model: D, a power of two from 64 to 8192.
        num_heads: H, a power of two from 1 to 64.
        num_layers: from 1 to 96.
        mark: whether to mark the length at which pairs cost as much as the rest, T = 6D.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "cost_lab"
    printed = ("tokens", "d_model")

    tokens = Int(512).tag(sync=True, figure=True, options=SHARED["tokens"])
    d_model = Int(512).tag(sync=True, figure=True, options=SHARED["widths"])
    num_heads = Int(8).tag(sync=True, figure=True, options=SHARED["heads"])
    num_layers = Int(6).tag(sync=True, figure=True, limits=SHARED["layers"])
    mark = Bool(False).tag(sync=True, figure=True)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, in float64.

        parts (5, 2): multiply–adds of all layers and their share in percent; memory (3, 2): bytes
        in one layer and in all; rivals (3, 2): multiply–adds of one layer and steps that wait for
        one another; curve (14, 2): multiply–adds of all layers at each number of tokens, those
        that grow with T and those that grow with T².
        """
        t, d, bytes_each = self.tokens, self.d_model, SHARED["bytes_per_number"]
        cost = attention_cost(1, t, t, d, self.num_heads, bytes_each)
        parts = torch.tensor(self._parts(t), dtype=torch.float64)
        parts = torch.cat([parts, parts.sum(dim=0, keepdim=True)])
        one_layer = [12 * d**2 * bytes_each, 2 * t * d * bytes_each, cost.table_bytes]
        memory = torch.tensor(one_layer, dtype=torch.float64)
        rivals = [[cost.multiply_adds, 1], [2 * t * d**2, t], [SHARED["kernel"] * t * d**2, 1]]
        curve = [self._parts(length) for length in SHARED["tokens"]]
        return {
            "parts": torch.stack([parts, 100 * parts / parts[-1]], dim=1),
            "memory": torch.stack([memory, memory * self.num_layers], dim=1),
            "rivals": torch.tensor(rivals, dtype=torch.float64),
            "curve": torch.tensor([[p + f, s + m] for p, s, m, f in curve], dtype=torch.float64),
        }

    def _parts(self, tokens: int) -> list[int]:
        """Count all layers: projections, scores, mixing and feed-forward."""
        cost = attention_cost(1, tokens, tokens, self.d_model, self.num_heads)
        feed_forward = 2 * tokens * self.d_model * 4 * self.d_model
        one_layer = [
            cost.projection_multiply_adds,
            cost.score_multiply_adds,
            cost.mixing_multiply_adds,
            feed_forward,
        ]
        return [count * self.num_layers for count in one_layer]

    def picture(self) -> str:
        """Return the settings and the three tables."""
        layers = "1 layer" if self.num_layers == 1 else f"{self.num_layers} layers"
        names = {
            key: (SHARED[key], [head.format(layers=layers) for head in SHARED[f"{key}_heads"]])
            for key in WRITERS
        }
        kinds = dict.fromkeys(WRITERS, "tl-plain") | {"parts": "tl-plain cl-bars"}
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds, WRITERS)
        settings = (
            f"T = {self.tokens} tokens, D = {self.d_model}, H = {self.num_heads} heads, {layers}"
        )
        question = f'<p class="tl-aside">{SHARED["question"]}</p>'
        return f"{question}<p>{settings}</p>{panels(tables[0])}{panels(*tables[1:])}"
