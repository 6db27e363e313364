"""Draw attention as a soft look-up, and the steps from X to Y."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    arrows,
    box,
    column,
    draw,
    grid,
    matrix,
    row,
)
from transformer_lite.layers.attention import attention_steps

WORDS = ["swam", "river", "bank", "8 others"]
ROWS = [[2.0, 0.0], [3.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
COUNTS = [1, 1, 1, 8]  # how often a row occurs in the sentence


def lookup() -> Diagram:
    """Draw the attention of “bank”: its query, all keys, and the mixture of the values."""
    x = torch.tensor(ROWS).repeat_interleave(torch.tensor(COUNTS), dim=0)
    steps = attention_steps(x[2:3], x, x, scale=1.0)
    shown = [0, 1, 2, 3]  # the others all look like the first of them
    weights = [[f"{steps.weights[0, n]:.2f}"] for n in shown]
    weights[3] = [f"8 × {weights[3][0]}"]
    query = matrix([[1.0, 1.0]], "query", "query", rows=["bank"])
    keys = matrix(ROWS, "key", "keys", rows=WORDS)
    scores = matrix([[steps.scores[0, n].item()] for n in shown], "score", "scores")
    shares = matrix(weights, "weight", "weights", shaded=False)
    values = matrix(ROWS, "value", "values")
    mixture = matrix(steps.output, "output", "mixture")
    return draw(
        grid(
            [
                [query, None, None, None],
                [keys, scores, shares, values],
                [None, None, None, mixture],
            ],
            gap=(34, 30),
        ),
        *arrows(query, keys, scores, shares),
        arrow(shares, mixture, start_side="bottom", end_side="left"),
        arrow(values, mixture),
        alt="The query of bank, [1, 1], is compared with the keys of all words. The scores are "
        "2 for swam, 3 for river, 2 for bank and 0 for the eight others. They become the weights "
        "0.17, 0.47, 0.17 and eight times 0.02, which mix the values into [1.92, 0.17].",
        caption="The attention of “bank”: one query, eleven keys, one mixture.",
    )


def flow() -> Diagram:
    """Draw self-attention: three projections, scores, weights, weighted sum."""
    x = box("X", "data", note="(T, D)")
    query = box("Q = XW^Q", "query", note="(T, K)")
    key = box("K = XW^K", "key", note="(T, K)")
    value = box("V = XW^V", "value", note="(T, V)")
    scores = box("QKᵀ", "score", note="scores (T, T)")
    weights = box("softmax", "weight", note="weights (T, T)")
    y = box("weights · V", "output", note="Y (T, V)")
    upper = row(column(query, key, gap=18), scores, weights, gap=34)
    return draw(
        row(x, column(upper, value, gap=24, align="start"), y, gap=34),
        *(arrow(x, projection) for projection in (query, key, value)),
        *(arrow(projection, scores) for projection in (query, key)),
        *arrows(scores, weights, y),
        arrow(value, y),
        alt="From left to right: X is multiplied by three matrices and becomes the queries Q, the "
        "keys K and the values V. Q and K make the scores, a softmax turns them into weights, and "
        "the weights mix the values into Y. Below each step is its shape.",
        caption="Self-attention: every step with its shape.",
    )
