"""Draw the steps of layer normalization on [2, 4, 6, 8], and RMSNorm next to it."""

import torch

from lessons.kit.diagrams import (
    Box,
    Diagram,
    Node,
    arrow,
    arrows,
    box,
    draw,
    grid,
    matrix,
    text,
)
from transformer_lite.layers.norms import layer_norm_steps, rms_norm_steps

CAT = torch.tensor([2.0, 4, 6, 8])


def steps() -> Diagram:
    """Draw how a token is normalized: center, square, divide, scale, shift."""
    found = layer_norm_steps(CAT)
    squares = found.centered.square()
    x = matrix([CAT.tolist()], "data", name="x")
    mean = box(f"μ = {found.mean.item():.0f}", "norm")
    centered = matrix([found.centered.tolist()], "data", name="x − μ")
    squared = matrix([squares.tolist()], "score", name="squares")
    normalized = matrix([found.normalized.tolist()], "weight", name="normalized")
    variance = box(f"σ² = {found.variance.item():.0f}", "norm")
    output = matrix([found.output.tolist()], "output", name="y")
    rows: list[list[Node | None]] = [
        [x, mean],
        [centered, squared],
        [normalized, variance],
        [output, None],
    ]
    return draw(
        grid(rows, gap=(84, 44)),
        arrow(x, mean, "mean"),
        arrow(x, centered, "1  subtract μ", label_side="left"),
        arrow(centered, squared, "2  square"),
        arrow(squared, variance, "mean", label_side="right"),
        arrow(centered, normalized, "3  divide by √(σ² + ε)", label_side="left"),
        arrow(variance, normalized),
        arrow(normalized, output, "4  times γ, plus β", label_side="left"),
        alt="The token [2, 4, 6, 8] has the mean 5. Subtracting it gives [−3, −1, 1, 3]. The "
        "squares of these, 9, 1, 1 and 9, have the mean 5, the variance. Dividing by the square "
        "root of the variance gives [−1.34, −0.45, 0.45, 1.34]. γ = 1 and β = 0 do not change it.",
        caption="The four steps on one token, with γ = 1 and β = 0.",
    )


def beside_rms() -> Diagram:
    """Draw LayerNorm and RMSNorm on the same token, side by side."""
    with_mean, without = layer_norm_steps(CAT), rms_norm_steps(CAT)
    left = [
        matrix([CAT.tolist()], "data"),
        box("subtract the mean", "norm"),
        box("divide by the root of the\nmean square of what is left", "norm"),
        box("times γ, plus β", "norm"),
        matrix([with_mean.output.tolist()], "output"),
    ]
    right = [
        matrix([CAT.tolist()], "data"),
        box("the mean stays", "off"),
        box("divide by the root of\nthe mean square", "norm"),
        box("times γ", "norm"),
        matrix([without.output.tolist()], "output"),
    ]
    for pair in zip(left, right, strict=True):
        if all(isinstance(node, Box) for node in pair):
            for node in pair:
                node.width = 236
    heads = [text("LayerNorm", bold=True), text("RMSNorm", bold=True)]
    pairs = [list(pair) for pair in zip(left, right, strict=True)]
    return draw(
        grid([heads, *pairs], gap=(48, 26)),
        *arrows(*left),
        *arrows(*right),
        alt="LayerNorm subtracts the mean of [2, 4, 6, 8], divides by the root mean square of the "
        "result, multiplies by γ and adds β: [−1.34, −0.45, 0.45, 1.34]. RMSNorm uses neither the "
        "mean nor β: it divides by the root mean square and multiplies by γ: [0.37, 0.73, 1.1, "
        "1.46].",
        caption="The same token in both norms, with γ = 1 and β = 0.",
    )
