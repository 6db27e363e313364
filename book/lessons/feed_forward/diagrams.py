"""Draw one layer with its shapes, hidden units as folds of the plane, and the whole block."""

import torch

from lessons.kit.diagrams import (
    Box,
    Diagram,
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
from transformer_lite.layers.feed_forward import FeedForward

WORDS = ["Je", "suis", "étudiant"]
SENTENCE = torch.tensor([[2.0, -1], [-1, 2], [-2, -1]])
UP = torch.tensor([[1.0, 0, -1, 1], [0, 1, 1, 1]])
UP_BIAS = torch.tensor([-1.0, 0, 1, 0])
DOWN = torch.tensor([[1.0, 1], [0, 1], [-0.5, 0.5], [1, 0.5]])
DOWN_BIAS = torch.tensor([-1.0, 0.5])


def widen_and_narrow() -> Diagram:
    """Draw three words through the layer of the chapter, each with its numbers."""
    layer = FeedForward(2, 4)
    weights = {"up.weight": UP.T, "up.bias": UP_BIAS, "down.weight": DOWN.T}
    layer.load_state_dict({**weights, "down.bias": DOWN_BIAS})
    with torch.no_grad():
        before, output = layer.up(SENTENCE), layer(SENTENCE)
    hidden = before.relu()
    x = matrix(SENTENCE, "data", "x", rows=WORDS, shape="(T, D) = (3, 2)")
    units = matrix(
        hidden, "feed_forward", "hidden", columns="1234", shape="(T, M) = (3, 4)", off=before <= 0
    )
    y = matrix(output, "output", "output", shape="(T, D) = (3, 2)")
    return draw(
        row(x, units, y, gap=104),
        arrow(x, units, "W_1, b_1, ReLU"),
        arrow(units, y, "W_2, b_2"),
        alt="Three rows of two numbers become three rows of four and three rows of two again. "
        "Hidden rows: Je 1, 0, 0, 1; suis 0, 2, 4, 1; étudiant 0, 0, 2, 0. Units that are off are "
        "hatched. Outputs: 1, 2; −2, 5; −2, 1.5.",
        caption="Expand and contract: every word has its own row, and all rows use the same "
        "weights.",
    )


def block() -> Diagram:
    """Draw the encoder block with post-norm, from left to right."""
    x, y = box("x", "data"), box("y", "output")
    attention, ff = box("attention", "score"), box("feed-\nforward", "feed_forward")
    z = box("z", "data")
    plus, norms = [circle("+"), circle("+")], [box("norm", "norm"), box("norm", "norm")]
    chain = [x, attention, plus[0], norms[0], z, ff, plus[1], norms[1], y]
    return draw(
        row(*chain, gap=24),
        *arrows(*chain),
        arrow(x, plus[0], bend="elbow", start_side="bottom", end_side="bottom"),
        arrow(z, plus[1], bend="elbow", start_side="bottom", end_side="bottom"),
        brace(attention, plus[0], norms[0], label="tokens attend to each other", side="top"),
        brace(ff, plus[1], norms[1], label="each token by itself", side="top"),
        alt="From left to right: x, attention, plus, norm, z, feed-forward, plus, norm, y. One "
        "skip connection goes from x to the first plus, another from z to the second plus.",
        caption="One encoder block, post-norm. The second skip connection starts at z.",
    )


def two_ways_of_asking() -> Diagram:
    """Draw attention and the feed-forward layer as two look-ups with different keys."""

    def way(words: list[tuple[str, str, str]]) -> list[Box]:
        return [box(label, kind, note, width=150) for label, kind, note in words]

    attention = way(
        [
            ("query q", "query", "made of this token"),
            ("keys K", "key", "one for each word"),
            ("softmax", "weight", "weights that sum to 1"),
            ("values V", "value", "one for each word"),
        ]
    )
    memory = way(
        [
            ("token x", "data", "as it is"),
            ("columns of W_1", "feed_forward", "learned, one for each unit"),
            ("ReLU", "weight", "any amount, or 0"),
            ("rows of W_2", "feed_forward", "learned, one for each unit"),
        ]
    )
    return draw(
        grid(
            [
                [text("attention", bold=True), text("feed-forward", bold=True)],
                *([a, b] for a, b in zip(attention, memory, strict=True)),
            ],
            gap=(60, 26),
            equal=True,
        ),
        *arrows(*attention),
        *arrows(*memory),
        alt="Two look-ups side by side. Attention compares a query with the keys of the words. A "
        "softmax makes weights, and the values of the words are mixed. The feed-forward layer "
        "compares the token with the columns of W1. A ReLU keeps any positive amount or returns 0, "
        "and the rows of W2 are added.",
        caption="Both take the same four steps. In attention, keys and values come from the "
        "sentence. In the feed-forward layer they come from training.",
    )
