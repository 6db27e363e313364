"""The preview picture of a link to the book: its title and a table of weights."""

from pathlib import Path

import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import transformer_lite as tl

INK, PAPER, QUIET = "#1c2430", "#ffffff", "#55606e"
SUBTITLE = "live figures · exercises that answer"
WORDS = ("The", "CAT", "SAT")
X = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])


def draw_card(path: Path, title: str) -> None:
    """Draw the card, 1200 by 630 pixels. The same title always gives the same bytes."""
    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor=PAPER)
    canvas = FigureCanvasAgg(figure)
    head, _, tail = title.partition(",")
    figure.text(0.06, 0.62, head, size=50, weight="bold", color=INK, family="DejaVu Sans")
    figure.text(0.06, 0.50, tail.strip(), size=36, color=QUIET, family="DejaVu Sans")
    figure.text(0.06, 0.14, SUBTITLE, size=22, color=QUIET, family="DejaVu Sans")
    axes = figure.add_axes((0.66, 0.2, 0.29, 0.55))
    weights = tl.attention_steps(X, X, X).weights.numpy()
    axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            axes.text(j, i, f"{weight:.2f}", ha="center", va="center", size=20, color=INK)
    axes.set_xticks(range(3), WORDS, size=20, color=INK)
    axes.set_yticks(range(3), WORDS, size=20, color=INK)
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.print_png(path, metadata={"Software": None})
