"""The position map: sinusoidal positions as a picture and as the hands of clocks."""

import torch
from torch import Tensor
from traitlets import Int, TraitError, validate

from transformer_lite.figures._base import LiveFigure, picture_table
from transformer_lite.positions import (
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)

WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512)
LENGTH = 64  # the rows of the map
LARGEST = {"position": 47, "offset": 16}  # together they stay on the map
CLOCKS = 8  # at most

HANDS = ["sin p", "cos p", "sin p+k", "cos p+k"]
TURNS = ["speed ω", "turn k·ω", "cos k·ω"]
WHOLE = ["dot product", "its largest value", "cosine", "distance"]


class PositionMap(LiveFigure):
    """The sinusoidal encoding of 64 positions, and two of them as the hands of clocks.

    Args:
        d_model: the width, a power of two from 4 to 512.
        position: the first position p, from 0 to 47.
        offset: how many steps k the second position lies further on, from 0 to 16.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "position_map"

    d_model = Int(8).tag(sync=True, figure=True)
    position = Int(3).tag(sync=True, figure=True)
    offset = Int(2).tag(sync=True, figure=True)

    def __init__(self, **traits):
        super().__init__(**traits)

    @validate("d_model")
    def _check_width(self, proposal):
        if proposal.value not in WIDTHS:
            raise TraitError(f"d_model must be one of {WIDTHS}, got {proposal.value}")
        return proposal.value

    @validate("position", "offset")
    def _check_place(self, proposal):
        name, value = proposal.trait.name, proposal.value
        if not 0 <= value <= LARGEST[name]:
            raise TraitError(f"{name} must satisfy 0 <= {name} <= {LARGEST[name]}, got {value}")
        return value

    def pairs(self) -> list[int]:
        """Return the pairs whose clocks are shown: all of them, or eight spread evenly."""
        last = self.d_model // 2 - 1
        if last < CLOCKS:
            return list(range(last + 1))
        return [clock * last // (CLOCKS - 1) for clock in range(CLOCKS)]

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        map (64, D), one row a position. One row a shown pair: hands, its sine and cosine at both
        positions; turns, its speed, the angle between both hands and the cosine of that angle.
        whole (1, 4): the dot product of both vectors, its largest possible value D/2, their
        cosine and their distance.
        """
        table = sinusoidal_positions(LENGTH, self.d_model)
        here = table[self.position]
        there = shift_rotation(self.offset, self.d_model) @ here
        speed = sinusoidal_frequencies(self.d_model)
        turn = self.offset * speed
        hands = torch.cat([here.view(-1, 2), there.view(-1, 2)], dim=-1)
        turns = torch.stack([speed, turn, turn.cos()], dim=-1)
        whole = [
            here @ there,
            here @ here,
            torch.cosine_similarity(here, there, dim=0),
            (here - there).norm(),
        ]
        return {
            "map": table,
            "hands": hands[self.pairs()],
            "turns": turns[self.pairs()],
            "whole": torch.stack(whole)[None],
        }

    def picture(self) -> str:
        """Return the numbers of both positions as tables."""
        results, names = self.results(), [f"i = {pair}" for pair in self.pairs()]
        caption = f"{len(names)} of {self.d_model // 2} pairs"
        tables = [
            picture_table(caption, results["hands"], names, HANDS),
            picture_table("Speed, and turn of the hand", results["turns"], names, TURNS),
            picture_table("PE(p) and PE(p + k)", results["whole"], ["all pairs"], WHOLE),
        ]
        return (
            f"<p>Sinusoidal positions at width {self.d_model}: "
            f"p = {self.position}, k = {self.offset}.</p>"
            f'<div class="tl-panels">{"".join(tables)}</div>'
        )

    def __repr__(self) -> str:
        return (
            f"PositionMap(d_model={self.d_model}, position={self.position}, offset={self.offset})"
        )
