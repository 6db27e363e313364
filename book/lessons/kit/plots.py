"""Plot tensors with matplotlib, in the colours of the live figures."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lite.checks import check_tensor

__all__ = ["heatmap"]

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
GREY = "#e6e9ed"
_SHADES = LinearSegmentedColormap.from_list("", ["#ffffff", "#9ecae8"]).with_extremes(bad=GREY)


def heatmap(
    values: Float[Tensor, "R C"], rows: list[str], columns: list[str], title: str
) -> Figure:
    """Draw a table of numbers, shaded by size, with every number written in its cell.

    Args:
        values: shape (len(rows), len(columns)); NaN and ±∞ are drawn grey.
        rows: the names of the rows.
        columns: the names of the columns.
        title: the heading.

    Raises:
        TypeError: `values` is not a float tensor.
        ValueError: `values` does not have one row a row name and one column a column name, or
            is empty.
    """
    check_tensor("values", values, min_rank=2)
    if values.shape != (len(rows), len(columns)):
        raise ValueError(
            f"values must have shape {(len(rows), len(columns))}, got {tuple(values.shape)}"
        )
    numbers = _numbers("values", values)
    figure, axes = plt.subplots(figsize=(1.1 + 0.85 * len(columns), 0.9 + 0.5 * len(rows)))
    axes.imshow(_finite(numbers), cmap=_SHADES, aspect="auto")
    for i, row in enumerate(numbers.tolist()):
        for j, number in enumerate(row):
            axes.text(j, i, f"{number:.4g}".replace("inf", "∞"), ha="center", va="center")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return _finished(figure, axes, title)


def _numbers(name: str, values: Tensor) -> np.ndarray:
    """Return at least one number as a NumPy array; in float64, since NumPy has no bfloat16."""
    if values.numel() == 0:
        raise ValueError(f"{name} must hold at least one number, got shape {tuple(values.shape)}")
    return values.detach().cpu().double().numpy()


def _finite(numbers: np.ndarray) -> np.ndarray:
    """Replace ±∞ by NaN, since it cannot be drawn."""
    return np.where(np.isfinite(numbers), numbers, np.nan)


def _finished(figure: Figure, axes: Axes, title: str) -> Figure:
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure
