"""The attention explorer: three tokens, every number from score to output."""

import math

import torch
from traitlets import Bool, Float, Int, List, TraitError, Unicode, validate

from transformer_lite.attention import AttentionSteps, attention_steps
from transformer_lite.figures._base import LiveFigure, picture_table
from transformer_lite.masks import look_ahead_mask


class AttentionExplorer(LiveFigure):
    """Self-attention with identity projections on a few editable vectors.

    Args:
        tokens: the names of the tokens, one a vector.
        vectors: one list of numbers a token, all of the same length; query, key and value at once.
        selected: the index of the token whose row is followed.
        scaled: whether to divide the scores by √d.
        temperature: a further divisor of the scores, greater than 0.
        causal: whether to apply the look-ahead mask.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "attention_explorer"

    tokens = List(Unicode()).tag(sync=True, figure=True)
    vectors = List(List(Float())).tag(sync=True, figure=True)
    selected = Int(0).tag(sync=True, figure=True)
    scaled = Bool(True).tag(sync=True, figure=True)
    temperature = Float(1.0).tag(sync=True, figure=True)
    causal = Bool(False).tag(sync=True, figure=True)

    def __init__(self, tokens: list[str], vectors: list[list[float]], **traits):
        super().__init__(tokens=tokens, vectors=vectors, **traits)

    @validate("tokens", "vectors")
    def _check_vectors(self, proposal):
        now = {"tokens": self.tokens, "vectors": self.vectors, proposal.trait.name: proposal.value}
        tokens, vectors = now["tokens"], now["vectors"]
        if len(tokens) != len(vectors):
            raise TraitError(
                f"tokens and vectors must be equally many, got {len(tokens)} and {len(vectors)}"
            )
        widths = sorted({len(vector) for vector in vectors})
        if len(widths) != 1 or 0 in widths:
            raise TraitError(f"vectors must share one length of at least 1, got {widths}")
        for x in (x for vector in vectors for x in vector):
            if not abs(x) <= 10:
                raise TraitError(f"vectors must hold numbers from -10 to 10, got {x}")
        return proposal.value

    @validate("selected")
    def _check_selected(self, proposal):
        count = len(self.tokens)
        if not 0 <= proposal.value < count:
            raise TraitError(f"selected must satisfy 0 <= selected < {count}, got {proposal.value}")
        return proposal.value

    @validate("temperature")
    def _check_temperature(self, proposal):
        if not 0 < proposal.value < math.inf:
            raise TraitError(f"temperature must be greater than 0, got {proposal.value}")
        return proposal.value

    def steps(self) -> AttentionSteps:
        """Return the numbers that the figure shows, computed by the package in float64."""
        x = torch.tensor(self.vectors, dtype=torch.float64)
        scale = (1 / math.sqrt(x.shape[1]) if self.scaled else 1.0) / self.temperature
        mask = look_ahead_mask(len(x)) if self.causal else None
        return attention_steps(x, x, x, mask, scale)

    def picture(self) -> str:
        steps, names = self.steps(), self.tokens
        entries = [str(d + 1) for d in range(len(self.vectors[0]))]
        tables = [
            picture_table("Vectors x (query, key and value at once)", self.vectors, names, entries),
            picture_table("1 Scores: query · key", steps.scores, names, names),
            picture_table("2 Scaled", steps.scaled, names, names),
            picture_table("3 Masked", steps.masked, names, names),
            picture_table("4 Weights: softmax of each row", steps.weights, names, names),
            picture_table(
                "5 Output: weighted sum of values", steps.output, names, entries, "tl-values"
            ),
        ]
        return f'<div class="tl-panels">{"".join(tables)}</div>'

    def __repr__(self) -> str:
        return f"AttentionExplorer(tokens={self.tokens!r}, vectors={self.vectors!r})"
