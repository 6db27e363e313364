"""Pictures of attention by hand: the table of weights, and the weighted sum."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    brace,
    circle,
    column,
    draw,
    matrix,
    row,
    space,
)
from transformer_lite.layers.attention import attention_steps

TOKENS = ["The", "CAT", "SAT"]
X = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])


def table() -> Diagram:
    """Draw the 3 × 3 weights: a row belongs to a query, a column to a key."""
    weights = attention_steps(X, X, X).weights
    shares = matrix(
        weights,
        "weight",
        rows=[f"{token} asks" for token in TOKENS],
        columns=TOKENS,
        digits=4,
        lit=[(1, 0), (1, 1), (1, 2)],
        brackets=False,
    )
    return draw(
        row(space(10), shares, space(150, 150), gap=0),
        brace(shares.row(1), label="one query:\nsums to 1", side="right"),
        brace(shares.column(2), label="one key: what SAT receives"),
        alt="The table of weights, 3 by 3. The row of CAT, 0.1554, 0.4223, 0.4223, is framed: it "
        "belongs to one query and sums to 1. The column of SAT belongs to one key: it says how "
        "much SAT receives from each query, and need not sum to 1.",
        caption="Read a row to see what a token attends to, and a column to see which tokens "
        "attend to it.",
    )


def weighted_sum() -> Diagram:
    """Draw the output of The: three values, each times its weight, added up."""
    steps = attention_steps(X, X, X)
    values = [
        matrix([list(map(int, value))], "value", rows=[token])
        for token, value in zip(TOKENS, X.tolist(), strict=True)
    ]
    terms = [
        matrix([(weight * value).tolist()], "weight", digits=4)
        for weight, value in zip(steps.weights[0], X, strict=True)
    ]
    plus = circle("+")
    output = matrix(steps.output[:1], "output", rows=["output of The"], digits=4)
    rows = [row(value, term, gap=86) for value, term in zip(values, terms, strict=True)]
    return draw(
        column(row(column(*rows, gap=16), plus, gap=44), output, gap=30, align="end"),
        *(
            arrow(value, term, f"× {weight:.4f}")
            for value, term, weight in zip(values, terms, steps.weights[0], strict=True)
        ),
        *(arrow(term, plus) for term in terms),
        arrow(plus, output, start_side="bottom", end_side="top"),
        alt="The output of The. The value of The, [1, 0, 1, 0], times 0.4223, the value of CAT, "
        "[0, 1, 0, 1], times 0.1554, and the value of SAT, [1, 1, 1, 1], times 0.4223 are added "
        "up to [0.8446, 0.5777, 0.8446, 0.5777].",
        caption="Shrink each value by its weight, and add.",
    )
