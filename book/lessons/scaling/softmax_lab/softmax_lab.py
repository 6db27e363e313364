"""The softmax lab: one query, a few keys, with and without the division by √width."""

import math
from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int, List

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from transformer_lite.layers.attention import attention_steps, masked_softmax

SHARED = shared("softmax_lab")
WIDTHS = SHARED["widths"]


class SoftmaxLab(LiveFigure):
    """The softmax of one query's scores, raw and divided by √width, at a temperature.

    A key that fits by z has the score q · k = z √width: z is the score in units of its standard
    deviation, for random entries of variance 1. So the raw scores grow with the width, and the
    scaled ones do not.

    Args:
        logits: how well each of 2 to 6 keys fits: its scaled score z, from −5 to 5.
        d_k: the width of a key, one of 1, 2, 3, 4, 8, 12, 16, 32, …, 1024.
        temperature: a further divisor of both rows of scores, from 0.1 to 10.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "softmax_lab"
    printed = ("logits", "d_k")

    logits = List(Float()).tag(sync=True, figure=True, count=SHARED["keys"], limits=SHARED["logit"])
    d_k = Int(4).tag(sync=True, figure=True, options=WIDTHS)
    temperature = Float(1.0).tag(sync=True, figure=True, limits=SHARED["temperature"])

    def __init__(self, logits: list[float], **traits: Any):
        super().__init__(logits=logits, **traits)

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        S is the number of keys; each table has one column without and one with the division.
        scores and weights (S, 2); measures (3, 2): entropy, its exponential, and the Frobenius
        norm of the softmax's Jacobian; curve and largest (13, 2): that norm and
        the largest weight, at each of the widths.
        """
        scores, weights = self._columns(self.d_k)
        entropy = torch.special.entr(weights).sum(dim=0)
        return {
            "scores": scores,
            "weights": weights,
            "measures": torch.stack([entropy, entropy.exp(), self._norms(self.d_k)]),
            "curve": torch.stack([self._norms(width) for width in WIDTHS]),
            "largest": torch.stack([self._columns(width)[1].amax(dim=0) for width in WIDTHS]),
        }

    def _columns(self, width: int) -> tuple[Tensor, Tensor]:
        """Scores and weights at a width, from a query and keys that are really that wide."""
        query = torch.ones(1, width, dtype=torch.float64)
        fits = torch.tensor(self.logits, dtype=torch.float64)
        keys = fits[:, None] / math.sqrt(width) * query
        raw = attention_steps(query, keys, keys, scale=1 / self.temperature)
        scaled = attention_steps(query, keys, keys, scale=1 / math.sqrt(width) / self.temperature)
        scores = torch.cat([raw.scores, scaled.scaled * self.temperature])
        return scores.mT, torch.cat([raw.weights, scaled.weights]).mT

    def _norms(self, width: int) -> Tensor:
        scores, _ = self._columns(width)
        jacobian = torch.func.jacrev(masked_softmax)
        columns = (scores / self.temperature).T
        return torch.stack([jacobian(column).norm() for column in columns])

    def picture(self) -> str:
        """Return scores, weights and measures as tables."""
        keys = [f"key {j}" for j in range(1, len(self.logits) + 1)]
        columns = [head.format(width=self.d_k) for head in SHARED["heads"]]
        rows = {"scores": keys, "weights": keys, "measures": SHARED["measures"]}
        names = {key: (row, columns) for key, row in rows.items()}
        kinds = {"weights": "tl-bars sm-bars", "measures": "tl-plain"}
        tables = picture_tables(SHARED["captions"], self.results(), names, kinds)
        settings = f"width of a key {self.d_k}, temperature {self.temperature:g}"
        question = f'<p class="tl-aside">{SHARED["question"]}</p>'
        return f"{question}<p>{settings}</p>{panels(*tables)}"
