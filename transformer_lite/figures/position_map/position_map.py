"""The position map: sinusoidal positions as a picture and as the hands of clocks."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Int

from transformer_lite.figures.kit import rules
from transformer_lite.figures.kit.live_figure import LiveFigure, picture_table
from transformer_lite.figures.kit.picture import panels
from transformer_lite.figures.kit.shared import shared
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
        offset: how many steps n the second position lies further on, from 0 to 16.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "position_map"
    printed = ("d_model", "position", "offset")

    d_model = Int(8).tag(sync=True, figure=True)
    position = Int(3).tag(sync=True, figure=True)
    offset = Int(2).tag(sync=True, figure=True)

    @staticmethod
    def problems(*, d_model: int, position: int, offset: int, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.one_of("d_model", d_model, WIDTHS)
        yield from rules.between("position", [position], SHARED["position"])
        yield from rules.between("offset", [offset], SHARED["offset"])

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
        results, names = self.results(), [f"pair {pair}" for pair in self.pairs()]
        words = {"shown": len(names), "pairs": self.d_model // 2}
        rows = {"whole": ["all pairs"]}
        tables = (
            picture_table(caption.format(**words), results[key], rows.get(key, names), SHARED[key])
            for key, caption in SHARED["captions"].items()
        )
        return (
            f"<p>{SHARED['question']}</p><p>Sinusoidal positions at width {self.d_model}: "
            f"p = {self.position}, n = {self.offset}.</p>"
            f"{panels(*tables)}"
        )
