"""Draw a vector and its loss, a batch of losses with padding, and a tied embedding table."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    arrows,
    box,
    brace,
    column,
    draw,
    matrix,
    row,
)
from transformer_lite.layers.loss import cross_entropy, one_hot

VOCABULARY = ["a", "am", "i", "thanks", "student", "<eos>"]
WORDS = torch.tensor(
    [[1.0, 0, 0], [0, 1, -1], [-1, 0, 1], [0, 0, 1], [0, 1, 1], [-1, 0, -1]]
)  # a row for each word
X = torch.tensor([1.0, 2, -1])
RIGHT = torch.tensor(1)
CHANCES = torch.tensor([[0.5, 0.8, 0.4, 0.9, 0.8], [0.2, 0.5, 0.01, 0.01, 0.01]])


def vector_to_loss() -> Diagram:
    """Draw the vector after “I”, its logits, their probabilities, the target and the gradient."""
    logits = WORDS @ X
    p, y = logits.softmax(dim=0), one_hot(RIGHT, len(VOCABULARY))
    loss = cross_entropy(logits, RIGHT)
    x = matrix(X[:, None], "data", "x", shape="(D,)")
    z = matrix(logits[:, None], "score", "logits", rows=VOCABULARY, shape="(V,)")
    shares = matrix(p[:, None], "weight", "p", shape="(V,)")
    wanted = matrix(y[:, None], "data", "target y", shape="(V,)")
    back = matrix((p - y)[:, None], "output", "p − y", shape="(V,)")
    end = box("loss", "output", note=f"−ln {p[RIGHT]:.2f} = {loss:.2f}")
    return draw(
        column(row(x, z, shares, wanted, back, gap=62), end, gap=34),
        arrow(x, z, "W"),
        arrow(z, shares, "softmax"),
        arrow(shares, end, start_side="bottom", end_side="top"),
        arrow(wanted, end, bend="elbow", start_side="bottom", end_side="right"),
        alt="The vector 1, 2, −1 becomes six logits: a 1, am 3, i −2, thanks −1, student 1, end 0. "
        "A softmax makes them the probabilities 0.10, 0.74, 0.01, 0.01, 0.10 and 0.04. The target "
        "is 1 at am and 0 elsewhere, and the loss is 0.30. The gradient is p minus the target: "
        "negative at am, positive elsewhere.",
        caption="One position of the decoder: from its vector to the loss, and the gradient p − y "
        "of the logits.",
    )


def batch_of_losses() -> Diagram:
    """Draw the losses of two sentences with padding, their sum and the divisor."""
    losses = -CHANCES.log()
    off = [[False] * 5, [False] * 2 + [True] * 3]
    table = matrix(
        losses,
        "score",
        rows=["sentence 1", "sentence 2"],
        off=off,
    )
    total = sum(losses[i, j].item() for i in range(2) for j in range(5) if not off[i][j])
    mean = box(f"{total:.2f} / 7 = {total / 7:.2f}", "output", note="sum over the words, once")
    return draw(
        row(table, mean, gap=56),
        arrow(table, mean),
        brace(table.cell(1, 2), table.cell(1, 4), label="padding: in neither sum nor count"),
        alt="A table of losses for two sentences. The first has five words, with the losses 0.69, "
        "0.22, 0.92, 0.11 and 0.22. The second has two words, with the losses 1.61 and 0.69, and "
        "three padding tokens, which are hatched. The seven losses of words sum to 4.46. Divided "
        "by 7, the mean is 0.64.",
        caption="The loss −ln p at each position of a batch. Add the losses of the words, and "
        "divide by the number of words.",
    )


def one_table() -> Diagram:
    """Draw the tied table: multiplied by √D at the input, unscaled at the output."""
    ids, vector = box("ids", "data"), box("vectors", "data", note="entries of size 1")
    stack, x = box("decoder"), box("x", "data", note="entries of size 1")
    logits, table = (
        box("logits", "score", note="size 1"),
        box("table E", "norm", note="rows of length 1"),
    )
    return draw(
        column(row(ids, vector, stack, x, logits, gap=62), table, gap=56),
        arrow(ids, vector, "√D E"),
        *arrows(vector, stack, x),
        arrow(x, logits, "E^T"),
        arrow(table, vector, bend="elbow", start_side="left", end_side="bottom", dashed=True),
        arrow(table, x, bend="elbow", start_side="right", end_side="bottom", dashed=True),
        alt="Ids are looked up in the table E and multiplied by the square root of D. The decoder "
        "turns them into the vectors x. Their dot products with the rows of the same table E are "
        "the logits. Rows of E have length 1, so the input vectors and the logits have entries of "
        "size 1.",
        caption="One table is used at both ends. Only the input is multiplied by √D.",
    )
