"""The softmax lab: one query, a few keys, with and without the division by √width."""

import math

import torch
from torch import Tensor
from traitlets import Float, Int, List, TraitError, validate

from transformer_lite.attention import attention_steps, masked_softmax
from transformer_lite.figures._base import LiveFigure, picture_table

WIDTHS = [1, 2, 3, 4, 8, 12, 16, 32, 64, 128, 256, 512, 1024]  # as in softmax_lab.js
FEWEST, MOST = 2, 6  # keys
LARGEST = 5.0
MEASURES = ["entropy H", "equal keys, e^H", "gradient norm"]


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

    logits = List(Float()).tag(sync=True, figure=True)
    d_k = Int(4).tag(sync=True, figure=True)
    temperature = Float(1.0).tag(sync=True, figure=True)

    def __init__(self, logits: list[float], **traits):
        super().__init__(logits=logits, **traits)

    @validate("logits")
    def _check_logits(self, proposal):
        logits = proposal.value
        if not FEWEST <= len(logits) <= MOST:
            raise TraitError(f"logits must hold {FEWEST} to {MOST} numbers, got {len(logits)}")
        for z in logits:
            if not abs(z) <= LARGEST:
                raise TraitError(f"logits must lie between −5 and 5, got {z}")
        return logits

    @validate("d_k")
    def _check_d_k(self, proposal):
        if proposal.value not in WIDTHS:
            raise TraitError(f"d_k must be one of {WIDTHS}, got {proposal.value}")
        return proposal.value

    @validate("temperature")
    def _check_temperature(self, proposal):
        if not 0.1 <= proposal.value <= 10:
            raise TraitError(f"temperature must lie between 0.1 and 10, got {proposal.value}")
        return proposal.value

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        S is the number of keys; each table has one column without and one with the division.
        scores and weights (S, 2); measures (3, 2): entropy, its exponential, and the Frobenius
        norm of the softmax's Jacobian; curve (13, 2): that norm at each of the widths.
        """
        scores, weights = self._columns(self.d_k)
        entropy = torch.special.entr(weights).sum(dim=0)
        return {
            "scores": scores,
            "weights": weights,
            "measures": torch.stack([entropy, entropy.exp(), self._norms(self.d_k)]),
            "curve": torch.stack([self._norms(width) for width in WIDTHS]),
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
        jacobian = torch.autograd.functional.jacobian
        columns = (scores / self.temperature).T
        return torch.stack([jacobian(masked_softmax, column).norm() for column in columns])

    def picture(self) -> str:
        results = self.results()
        keys = [f"key {j}" for j in range(1, len(self.logits) + 1)]
        columns = ["unscaled", f"÷ √{self.d_k}"]
        settings = f"width of a key {self.d_k}, temperature {self.temperature:g}"
        tables = [
            picture_table("1 Scores: q · k", results["scores"], keys, columns),
            picture_table(
                "2 Weights: softmax of scores ÷ temperature",
                results["weights"],
                keys,
                columns,
                "sm-bars",
            ),
            picture_table("3 How sharp", results["measures"], MEASURES, columns, "sm-plain"),
        ]
        return f'<p>{settings}</p><div class="tl-panels">{"".join(tables)}</div>'

    def __repr__(self) -> str:
        return f"SoftmaxLab(logits={self.logits!r}, d_k={self.d_k})"
