"""LoRA, and an image cut into patches."""

import torch
from torch import nn

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    arrows,
    box,
    circle,
    column,
    draw,
    group,
    matrix,
    row,
)
from transformer_lite.layers.low_rank import LowRank
from transformer_lite.layers.patches import cut_patches

IMAGE = torch.arange(1.0, 17).reshape(4, 4)
WIDTH, RANK = 768, 4


def low_rank() -> Diagram:
    """LoRA: the frozen way and the narrow way next to it, and both merged."""
    with torch.device("meta"):  # numbers are counted, none is drawn
        layer = LowRank(nn.Linear(WIDTH, WIDTH, bias=False), RANK, alpha=8.0)
    frozen, narrow = layer.base.weight.numel(), layer.down.numel()
    x, y = box("x", "data", f"{WIDTH} wide"), box("y", "output", f"{WIDTH} wide")
    weights = box("W", "plain", f"frozen: {frozen:,}", width=150)
    down, up = box("A", "weight", f"learns: {narrow:,}"), box("B", "weight", f"learns: {narrow:,}")
    plus, scale = circle("+"), box("× α/r", "score")
    merged = box("W + (α/r) B A", "plain", f"{layer.merge().weight.numel():,} numbers")
    x_again, y_again = box("x", "data"), box("y", "output")
    ways = column(weights, row(down, up, scale, gap=34), gap=30)
    return draw(
        column(
            group("while it learns", row(x, ways, plus, y, gap=40)),
            group("merged", row(x_again, merged, y_again, gap=40)),
            gap=22,
        ),
        *arrows(x, weights, plus, y),
        arrow(x, down),
        arrow(down, up, str(RANK)),
        *arrows(up, scale, plus),
        *arrows(x_again, merged, y_again),
        alt="While it learns, x of width 768 goes two ways: through W, whose 589,824 numbers are "
        "frozen, and through A and B, which learn 3,072 numbers each and have only 4 numbers "
        "between them. The result of B is multiplied by α over r, and both ways are added to y. "
        "Merged: one matrix W + (α/r) B A of 589,824 numbers.",
        caption=f"LoRA on a layer of width {WIDTH}, rank {RANK}: "
        f"{2 * narrow:,} numbers learn instead of {frozen:,}.",
    )


def patches() -> Diagram:
    """Draw how an image of 4 × 4 numbers becomes four tokens."""
    cut = cut_patches(IMAGE[None, None], 2)[0]
    first = [(i, j) for i in range(2) for j in range(2)]
    image = matrix(IMAGE.int(), "data", "image", shape="(4, 4)", lit=first, shaded=False)
    names = [f"patch {t}" for t in range(1, 5)]
    rows = matrix(
        cut.int(),
        "data",
        "patches",
        rows=names,
        shape="(T, C·P·P) = (4, 4)",
        lit=[(0, j) for j in range(4)],
        shaded=False,
    )
    tokens = column(*(box(f"token {t}", "output") for t in range(1, 5)), gap=8, equal=True)
    encoder, product = box("encoder", "feed_forward", "no mask"), box("× W + b")
    boxes = tokens.nodes()
    return draw(
        row(image, rows, product, tokens, encoder, gap=36),
        arrow(image, rows, "cut"),
        arrow(rows, product),
        *(arrow(product, node) for node in boxes),
        *(arrow(node, encoder) for node in boxes),
        alt="An image of four by four numbers, 1 to 16, is cut into four squares of two by two. "
        "Each becomes a row: 1, 2, 5, 6; then 3, 4, 7, 8; then 9, 10, 13, 14; then 11, 12, 15, 16. "
        "Each row times W, plus b, is a token, and the four tokens go into an encoder without a "
        "mask.",
        caption="Patches are tokens: after the first multiplication nothing knows of images.",
    )
