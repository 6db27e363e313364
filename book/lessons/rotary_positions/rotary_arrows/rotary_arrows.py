"""Rotary arrows: a query and a key that turn with their positions, and their score."""

from typing import Any

import torch
from torch import Tensor
from traitlets import Float, Int

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from transformer_lite.layers.positions import shift_rotation

SHARED = shared("rotary_arrows")
ARROWS = torch.tensor([SHARED["query"], SHARED["key"]], dtype=torch.float64)
FARTHEST = SHARED["position"]["max"]


class RotaryArrows(LiveFigure):
    """A query and a key of two numbers, each turned by its position times one frequency.

    Args:
        query: the position i of the query, from 0 to 24.
        key: the position j of the key, from 0 to 24.
        omega: the frequency ω, the turn for one position in radians, from 0.05 to 1.5.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "rotary_arrows"

    query = Int(3).tag(sync=True, figure=True, limits=SHARED["position"])
    key = Int(1).tag(sync=True, figure=True, limits=SHARED["position"])
    omega = Float(0.5).tag(sync=True, figure=True, limits=SHARED["omega"])

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        arrows (2, 3): of query and key, the angle by which each is turned, and its new direction.
        score (1, 4): the offset, its angle, the score of the turned arrows, and that of the arrows
        at position 0. curve (1, 49): the score at every offset.
        """
        angles = self.omega * torch.tensor([self.query, self.key], dtype=torch.float64)
        query, key = (
            turned(arrow, angle) for arrow, angle in zip(ARROWS, angles.tolist(), strict=True)
        )
        offset = self.key - self.query
        curve = [
            ARROWS[0] @ turned(ARROWS[1], self.omega * far)
            for far in range(-FARTHEST, FARTHEST + 1)
        ]
        score: list[Any] = [offset, self.omega * offset, query @ key, ARROWS[0] @ ARROWS[1]]
        return {
            "arrows": torch.cat([angles[:, None], torch.stack([query, key])], dim=1),
            "score": torch.tensor([[float(x) for x in score]], dtype=torch.float64),
            "curve": torch.stack(curve)[None],
        }

    def picture(self) -> str:
        """Return the arrows and their score as tables."""
        names = {
            "arrows": ([f"query at {self.query}", f"key at {self.key}"], SHARED["arrows"]),
            "score": (["query · key"], SHARED["score"]),
        }
        tables = picture_tables(SHARED["captions"], self.results(), names)
        settings = f"{SHARED['question']} Here ω = {self.omega:g}."
        return f"<p>{settings}</p>{panels(*tables)}"

    def __repr__(self) -> str:
        return f"RotaryArrows(query={self.query}, key={self.key}, omega={self.omega:g})"


def turned(arrow: Tensor, angle: float) -> Tensor:
    """Turn an arrow counterclockwise; a shift of a sine and its cosine turns the other way."""
    return shift_rotation(-angle, 2) @ arrow
