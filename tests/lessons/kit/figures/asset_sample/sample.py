"""A figure for the tests: what it shows is computed from an asset of 300 KB."""

from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor
from traitlets import Int

from lessons.kit.figures import LiveFigure

ROWS, WIDTH = 280, 280  # as in asset_sample.js


def weights() -> Tensor:
    """Return the figure's model: random numbers, which gzip hardly makes smaller."""
    return torch.randn(ROWS, WIDTH, generator=torch.Generator().manual_seed(9))


def content(weights: Tensor) -> bytes:
    """Return what the asset holds."""
    return weights.numpy().astype("<f4").tobytes()


def measures(row: int) -> dict[str, float]:
    """Return what the figure shows of a row."""
    numbers = weights()[row].double()
    values = {"sum": numbers.sum(), "largest": numbers.max(), "norm": numbers.norm()}
    return {name: value.item() for name, value in values.items()}


def figure_class(model: Path) -> type[LiveFigure]:
    """Return the class of the figure, with this file as its asset."""

    class AssetSample(LiveFigure):
        name = "asset_sample"
        script = Path(__file__).with_name("asset_sample.js")
        asset_files: ClassVar = {"model": model}

        row = Int(0).tag(sync=True, figure=True)

        def picture(self) -> str:
            return f"<p>Row {self.row} has the norm {measures(self.row)['norm']:.4f}.</p>"

    return AssetSample
