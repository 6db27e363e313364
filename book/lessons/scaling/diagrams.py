"""Draw how a row of scores becomes weights, and how softmax avoids overflow."""

import torch

from lessons.kit.diagrams import (
    Arrow,
    Diagram,
    Node,
    arrow,
    column,
    draw,
    group,
    matrix,
    row,
)


def row_of_scores() -> Diagram:
    """Draw the query and the keys of the chapter: scores, scaled scores, weights."""
    query = torch.tensor([[2.0, 3, 4, 1]])
    keys = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1]])
    scores = query @ keys.T
    asked = matrix(query, "query", "q", shape="(1, 4)")
    offered = matrix(keys, "key", "K", shape="(2, 4)")
    raw = matrix(scores, "score", "scores q Kᵀ", shape="(1, 2)")
    scaled = matrix(scores / 2, "score", "scaled", shape="(1, 2)")
    weights = matrix((scores / 2).softmax(dim=-1), "weight", "weights", shape="(1, 2)")
    return draw(
        row(column(asked, offered, gap=22), raw, scaled, weights, gap=66),
        arrow(asked, raw),
        arrow(offered, raw),
        arrow(raw, scaled, "÷ √4"),
        arrow(scaled, weights, "softmax"),
        alt="The query [2, 3, 4, 1] and two keys give the scores 6 and 4. Divided by the square "
        "root of 4 they are 3 and 2, and softmax turns these into the weights 0.73 and 0.27.",
    )


def stable_softmax() -> Diagram:
    """Draw softmax of 1000 and 998, by its formula and with the largest score subtracted first."""
    scores = torch.tensor([[1000.0, 998.0]])
    lowered = scores - scores.max()
    infinite = matrix([["∞", "∞"]], "score", "exponentials")
    undefined = matrix([["NaN", "NaN"]], "weight", "weights")
    naive = _line(_scores(scores), ("exp", infinite), ("÷ sum", undefined))
    careful = _line(
        _scores(scores),
        ("− largest", matrix(lowered, "score", "lowered")),
        ("exp", matrix(lowered.exp(), "score", "exponentials", digits=4)),
        ("÷ sum", matrix(lowered.softmax(dim=-1), "weight", "weights", digits=4)),
    )
    return draw(
        column(
            group("by the formula", naive[0]),
            group("the largest score subtracted first", careful[0]),
            gap=20,
            align="start",
        ),
        *naive[1],
        *careful[1],
        alt="Two ways to compute the softmax of the scores 1000 and 998. By the formula: both "
        "exponentials are infinite, and the weights are NaN. With the largest score subtracted "
        "first: 0 and −2, exponentials 1 and 0.1353, weights 0.8808 and 0.1192.",
    )


def _scores(scores: torch.Tensor) -> Node:
    return matrix(scores, "score", "scores")


def _line(start: Node, *steps: tuple[str, Node]) -> tuple[Node, list[Arrow]]:
    """Nodes from left to right, and the arrows between them with their words."""
    nodes = [start, *(node for _, node in steps)]
    arrows = [
        arrow(before, after, word) for before, (word, after) in zip(nodes, steps, strict=False)
    ]
    return row(*nodes, gap=74), arrows
