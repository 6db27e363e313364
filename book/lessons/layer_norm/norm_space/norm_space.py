"""Norm space: a token of three numbers, and how a norm moves it."""

import html
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from traitlets import Enum, Float, Int, List

from lessons.kit.figures import LiveFigure, panels, picture_tables, rules, shared
from transformer_lite.layers.norms.layer import layer_norm_steps
from transformer_lite.layers.norms.rms import rms_norm_steps

SHARED = shared("norm_space")
NORMS = SHARED["norms"]


class NormSpace(LiveFigure):
    """A token of three numbers in space, and the steps of LayerNorm or RMSNorm.

    Args:
        token: three numbers from −3 to 3.
        norm: "LayerNorm" or "RMSNorm".
        turn: how far the drawing is turned around the third axis, in degrees.
        tilt: the height of the view above the drawing, in degrees.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "norm_space"
    printed = ("token", "norm")

    token = List(Float(), [2.0, 1.2, -1.7]).tag(sync=True, figure=True, count={"min": 3, "max": 3})
    norm = Enum(NORMS, "LayerNorm").tag(sync=True, figure=True)
    turn = Int(350).tag(sync=True, figure=True, limits=SHARED["turn"])
    tilt = Int(10).tag(sync=True, figure=True, limits=SHARED["tilt"])

    @staticmethod
    def problems(*, token: list[float], **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.between("token", token, SHARED["number"])

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed in float64.

        steps (3, 3): the token, without its mean, and normalized; removed (2, 1): what is
        subtracted, and by what it is divided.
        """
        token = torch.tensor(self.token, dtype=torch.float64)
        if self.norm == "LayerNorm":
            layer = layer_norm_steps(token, eps=SHARED["eps"])
            steps = torch.stack([token, layer.centered, layer.normalized])
            return {"steps": steps, "removed": torch.stack([layer.mean, layer.std])}
        rms = rms_norm_steps(token, eps=SHARED["eps"])
        steps = torch.stack([token, token, rms.normalized])
        return {"steps": steps, "removed": torch.stack([torch.zeros_like(rms.rms), rms.rms])}

    def picture(self) -> str:
        """Return every result as a table, below what is chosen."""
        names = {
            "steps": (SHARED["rows"][self.norm], SHARED["entries"]),
            "removed": (SHARED["removed"][self.norm], ["number"]),
        }
        tables = picture_tables(SHARED["captions"], self.results(), names, {})
        question = html.escape(SHARED["question"])
        return f'<p class="tl-aside">{question}</p><p><b>{self.norm}</b></p>{panels(*tables)}'
