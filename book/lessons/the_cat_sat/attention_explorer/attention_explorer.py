"""The attention explorer: three tokens, every number from score to output."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, List, Unicode

from lessons.kit.figures import LiveFigure, counted, panels, picture_table, rules, shared
from transformer_lite.layers.attention import attention_steps
from transformer_lite.layers.masks import look_ahead_mask

SHARED = shared("attention_explorer")


class AttentionExplorer(LiveFigure):
    """Self-attention with identity projections on a few editable vectors.

    Args:
        tokens: the names of the tokens, one a vector.
        vectors: one list of numbers from −10 to 10 a token, all of the same length; query, key and
            value at once.
        selected: the index of the token whose row is followed.
        scaled: whether to divide the scores by √d.
        temperature: a further divisor of the scores, finite and greater than 0.
        causal: whether to apply the look-ahead mask.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "attention_explorer"
    printed = ("tokens", "vectors")

    tokens = List(Unicode()).tag(sync=True, figure=True)
    vectors = List(List(Float())).tag(sync=True, figure=True, limits=SHARED["entry"])
    selected = Int(0).tag(sync=True, figure=True)
    scaled = Bool(True).tag(sync=True, figure=True)
    temperature = Float(1.0).tag(sync=True, figure=True)
    causal = Bool(False).tag(sync=True, figure=True)

    def __init__(self, tokens: list[str], vectors: list[list[float]], **traits: Any):
        super().__init__(tokens=tokens, vectors=vectors, **traits)

    @staticmethod
    def problems(
        *,
        tokens: list[str],
        vectors: list[list[float]],
        selected: int,
        temperature: float,
        **_: Any,
    ) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.same_length(tokens=tokens, vectors=vectors)
        yield from rules.same_width("vectors", vectors)
        yield from rules.index_of("selected", selected, len(tokens))
        if not 0 < temperature < math.inf:
            yield f"temperature must be finite and greater than 0, got {temperature}"

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        With T tokens of width D: scores, scaled, masked and weights (T, T), output (T, D).
        """
        x = torch.tensor(self.vectors, dtype=torch.float64)
        scale = (1 / math.sqrt(x.shape[1]) if self.scaled else 1.0) / self.temperature
        mask = look_ahead_mask(len(x)) if self.causal else None
        return attention_steps(x, x, x, mask, scale)._asdict()

    def picture(self) -> str:
        """Return the vectors and every step as tables."""
        captions, names, entries = SHARED["captions"], self.tokens, counted(self.vectors[0])
        tables = [picture_table(captions["vectors"], self.vectors, names, entries)]
        for name, values in self.results().items():
            last = name == "output"
            columns, kind = (entries, "tl-values") if last else (names, "")
            tables.append(picture_table(captions[name], values, names, columns, kind))
        return f'<p class="tl-aside">{SHARED["question"]}</p>{panels(*tables)}'
