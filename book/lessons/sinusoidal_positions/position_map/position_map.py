"""The position map: sinusoidal positions as a picture and as the hands of clocks."""

import torch
from torch import Tensor
from traitlets import Int

from lessons.kit.figures import LiveFigure, panels, picture_tables, shared
from transformer_lite.layers.positions import (
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
)

SHARED = shared("position_map")
LENGTH, CLOCKS = SHARED["rows"], SHARED["clocks"]
WIDTHS = tuple(2**power for power in range(SHARED["power"]["min"], SHARED["power"]["max"] + 1))


class PositionMap(LiveFigure):
    """The sinusoidal encoding of 64 positions, and two of them as the hands of clocks.

    Args:
        d_model: the width, a power of two from 4 to 512.
        position: the first position p, from 0 to 47.
        offset: the number of steps n from the first to the second position, from 0 to 16.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "position_map"
    printed = ("d_model", "position", "offset")

    d_model = Int(8).tag(sync=True, figure=True, options=WIDTHS)
    position = Int(3).tag(sync=True, figure=True, limits=SHARED["position"])
    offset = Int(2).tag(sync=True, figure=True, limits=SHARED["offset"])

    def pairs(self) -> list[int]:
        """Return the pairs whose clocks are shown: all of them, or eight spread evenly."""
        last = self.d_model // 2 - 1
        if last < CLOCKS:
            return list(range(last + 1))
        return [clock * last // (CLOCKS - 1) for clock in range(CLOCKS)]

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed by the package in float64.

        map (64, D), one row a position. One row a shown pair: hands, its sine and cosine at both
        positions; turns, its frequency, the angle between both hands and the cosine of that angle.
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
        pairs = [f"pair {pair}" for pair in self.pairs()]
        words = {"shown": len(pairs), "pairs": self.d_model // 2}
        captions = {key: text.format(**words) for key, text in SHARED["captions"].items()}
        rows = {"hands": pairs, "turns": pairs, "whole": ["all pairs"]}
        names = {key: (row, SHARED[key]) for key, row in rows.items()}
        tables = picture_tables(captions, self.results(), names)
        return (
            f"<p>{SHARED['question']}</p><p>Sinusoidal positions at width {self.d_model}: "
            f"p = {self.position}, n = {self.offset}.</p>"
            f"{panels(*tables)}"
        )
