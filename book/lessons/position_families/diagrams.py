"""Draw where each position scheme enters the attention, and what some schemes add."""

import torch

from lessons.kit.diagrams import Diagram, arrow, arrows, box, column, draw, matrix, row
from transformer_lite.layers.positions import alibi_slopes
from transformer_lite.layers.positions.relative import offsets

TOKENS = ["The", "CAT", "SAT"]
NUMBERS = {-2: 0.25, -1: 1.0, 0: 0.5, 1: -0.5, 2: -1.0}


def where() -> Diagram:
    """Draw the steps from a token to the weights, and the three points where positions enter."""
    token, project = box("token", "data"), box("W^Q, W^K", "plain")
    turned = box("q, k", "query")
    score, weights = box("score\nq · k / √K", "score"), box("softmax", "weight")
    on_token = box("add a vector", "key", note="sinusoidal, learned")
    on_query = box("turn", "key", note="RoPE")
    on_score = box("add a number", "key", note="Shaw q·c, T5, ALiBi")
    line = row(token, project, turned, score, weights, gap=42)
    above = row(on_token, on_query, on_score, gap=64)
    return draw(
        column(above, line, gap=44),
        *arrows(token, project, turned, score, weights),
        arrow(on_token, token),
        arrow(on_query, turned),
        arrow(on_score, score),
        alt="From left to right: the token is projected to a query and a key, their dot product is "
        "the score, and a softmax makes the weights. Sinusoidal and learned positions add a vector "
        "to the token. RoPE turns query and key. T5 and ALiBi add a number to the score. So does "
        "Shaw: a vector c, added to the key, adds q · c to the score.",
        caption="A position can enter at three points: the first once, the others in every layer.",
    )


def biases() -> Diagram:
    """Draw what three schemes add to the scores of four tokens."""
    offset = offsets(4, 4)
    slope = alibi_slopes(8)[0].item()
    t5 = [[NUMBERS[max(-2, min(2, n))] for n in line] for line in offset.tolist()]
    penalty = torch.where(offset == 0, 0.0, -slope * offset.abs())
    names = [str(n) for n in range(4)]
    tables = [
        matrix(offset, "data", "offset j − i", names, names, shaded=False),
        matrix(t5, "key", "T5: a number by offset", names, names),
        matrix(penalty, "key", "ALiBi, slope 1/2", names, names),
    ]
    return draw(
        row(*tables, gap=34),
        alt="Three tables, queries 0 to 3 as rows and keys 0 to 3 as columns. Offsets: 0 on the "
        "diagonal, 1 to 3 to the right, −1 to −3 to the left. T5: one number on each diagonal, "
        "here 1 for one position before and −0.5 for one position after. ALiBi: 0 on the diagonal, "
        "−0.5 next to it and −1.5 in the corners.",
        caption="Every diagonal has one number, because all its cells have the same offset.",
    )
