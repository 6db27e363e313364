"""Draw how a sentence becomes one vector, what each layer adds, and a head with scores of 0."""

import torch
import torch.nn.functional as F

from lessons.kit.diagrams import (
    Diagram,
    Node,
    arrow,
    arrows,
    box,
    brace,
    circle,
    draw,
    grid,
    matrix,
    row,
    text,
)
from transformer_lite.layers.attention import masked_softmax

PIECES = ["[CLS]", "the", "boat", "sank", "[SEP]", "[PAD]", "[PAD]"]
REAL = [piece != "[PAD]" for piece in PIECES]
LAST = torch.tensor([[1.0, 2], [3, 1], [5, 4], [4, 6], [2, 2], [7, -9], [8, -7]])
SCORES = torch.tensor([[2.0, 0, -1, 1]])
VALUES = torch.tensor([[1.0], [5], [3], [-1]])


def sentence_to_vector() -> Diagram:
    """Pieces, six blocks, the mean over real tokens, and the vector of length 1."""
    sentence = box("The boat sank.", "data", note="with 2 pads")
    off = [[not real] * 2 for real in REAL]
    blocks = box("6 blocks", note="12 heads each", height=150)
    last = matrix(LAST, "output", "last layer", rows=PIECES, off=off, shape="(T, D)")
    mean = LAST[REAL].mean(dim=0, keepdim=True)
    pooled = matrix(mean, "value", "mean", shape="(D,)")
    unit = matrix(F.normalize(mean), "value", "length 1", shape="(D,)")
    chain: list[Node] = [sentence, blocks, last, pooled, unit]
    return draw(
        row(*chain, gap=46),
        *arrows(*chain),
        brace(last.row(5), last.row(6), label="pads: left out", side="right"),
        alt="The sentence The boat sank goes through 6 blocks of 12 heads. The last layer has a "
        "row for each of [CLS], the, boat, sank and [SEP], and two rows of padding, which are "
        "hatched. The mean over the five real rows is 3 and 3. Divided by its length it is 0.71 "
        "and 0.71.",
        caption="From a sentence to its vector. Only two of the 384 features are drawn. The "
        "padding tokens count neither in the sum nor in the number of tokens.",
    )


def residual_stream() -> Diagram:
    """Draw the vector of one token, and what attention and the feed-forward layer add to it."""
    start, end = box("embedding", "data", note="of a piece"), box("output", "output")
    more = box("5 more\nlayers")
    adders = [box("attention", "value", note="adds"), box("feed-\nforward", "feed_forward", "adds")]
    sums, norms = [circle("+"), circle("+")], [box("norm", "norm"), box("norm", "norm")]
    stream: list[Node] = [start, sums[0], norms[0], sums[1], norms[1], more, end]
    above: list[Node | None] = [None, adders[0], None, adders[1], None, None, None]
    inputs = [start, norms[0]]
    return draw(
        grid([above, [*stream]], gap=(26, 44)),
        *arrows(*stream),
        *(
            arrow(a, b, bend="elbow", start_side="top", end_side="left", dashed=True)
            for a, b in zip(inputs, adders, strict=True)
        ),
        *(arrow(a, b) for a, b in zip(adders, sums, strict=True)),
        brace(sums[0], norms[1], label="layer 1", side="bottom"),
        alt="A line from the embedding of a token to the output. In layer 1 attention adds to it, "
        "a norm follows, the feed-forward layer adds to it, and a second norm follows. Layers 2 "
        "to 6 do the same with weights of their own. Attention and the feed-forward layer read "
        "from the line before they add to it.",
        caption="The residual stream of one token. The layers above the line add to it.",
    )


def zero_scores() -> Diagram:
    """Draw the output of a head when its scores are set to 0, and when its output is."""

    def line(title: str, scores: torch.Tensor, silent: bool) -> list[Node | None]:
        weights = masked_softmax(scores)
        output = weights @ VALUES * (0 if silent else 1)
        return [
            text(title, bold=True),
            matrix(scores, "score", "scores"),
            matrix(weights, "weight", "weights"),
            matrix(VALUES.T, "value", "values"),
            matrix(output, "output", "output"),
        ]

    rows = [
        line("as trained", SCORES, False),
        line("scores 0", torch.zeros_like(SCORES), False),
        line("output 0", SCORES, True),
    ]
    return draw(
        grid(rows, gap=(16, 22)),
        alt="One row of a head is drawn three times, with the values 1, 5, 3 and −1. As trained: "
        "scores 2, 0, −1 and 1, weights 0.64, 0.09, 0.03 and 0.24, output 0.94. Scores set to 0: "
        "all weights are 0.25 and the output is 2, the mean of the values. Output set to 0: the "
        "weights are as trained and the output is 0.",
        caption="A head whose scores are all 0 is not silent: it still adds the mean of all "
        "values.",
    )
