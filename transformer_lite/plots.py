"""Static pictures of tensors with matplotlib, in the colours of the live figures."""

import matplotlib.pyplot as plt
import torch
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from torch import Tensor

from transformer_lite._checks import check_tensor

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
_SHADES = LinearSegmentedColormap.from_list("shades", ["#ffffff", "#9ecae8"])
_SHADES = _SHADES.with_extremes(bad="#e6e9ed")


def heatmap(values: Tensor, rows: list[str], columns: list[str], title: str) -> Figure:
    """Draw a table of numbers, shaded by size, with every number written in its cell.

    Args:
        values: shape (len(rows), len(columns)); NaN and −∞ are drawn grey.
        rows: the names of the rows.
        columns: the names of the columns.
        title: the heading.

    Raises:
        TypeError: `values` is no float tensor.
        ValueError: `values` does not have one row a row name and one column a column name.
    """
    check_tensor("values", values, min_rank=2)
    if values.shape != (len(rows), len(columns)):
        raise ValueError(
            f"values must have shape {(len(rows), len(columns))}, got {tuple(values.shape)}"
        )
    numbers = values.detach().cpu().double()
    shown = torch.where(numbers.isfinite(), numbers, torch.nan)
    figure, axes = plt.subplots(figsize=(1.1 + 0.85 * len(columns), 0.9 + 0.5 * len(rows)))
    axes.imshow(shown, cmap=_SHADES, aspect="auto")
    for i, row in enumerate(numbers.tolist()):
        for j, number in enumerate(row):
            axes.text(j, i, f"{number:.4g}".replace("inf", "∞"), ha="center", va="center")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure


def before_after(before: Tensor, after: Tensor, names: list[str], title: str) -> Figure:
    """Draw two vectors as bars, entry by entry, side by side.

    Args:
        before: shape (D,).
        after: shape (D,).
        names: the names of the entries, D of them.
        title: the heading.

    Raises:
        TypeError: `before` or `after` is no float tensor.
        ValueError: the three lengths differ.
    """
    check_tensor("before", before)
    check_tensor("after", after)
    if not before.shape == after.shape == (len(names),):
        raise ValueError(
            f"before and after must have shape {(len(names),)}, "
            f"got {tuple(before.shape)} and {tuple(after.shape)}"
        )
    figure, axes = plt.subplots(figsize=(1.6 + 0.9 * len(names), 2.6))
    places = torch.arange(len(names)).double()
    axes.bar(places - 0.2, before.detach().cpu(), 0.36, color=ORANGE, hatch="//", label="before")
    axes.bar(places + 0.2, after.detach().cpu(), 0.36, color=BLUE, label="after")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(places, names)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False)
    figure.tight_layout()
    return figure
