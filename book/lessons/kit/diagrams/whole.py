"""Draw the whole machine, large, with the purpose of each part below its name."""

from itertools import pairwise

from lessons.kit.diagrams import (
    Box,
    Diagram,
    Grid,
    Group,
    Node,
    arrow,
    box,
    circle,
    column,
    draw,
    group,
    row,
    space,
)
from lessons.kit.diagrams.links import Link

WIDTH, GAP = 186, 20
ALT = (
    "The Transformer from top to bottom. On the left the encoder: input tokens, embedding, sum "
    "with the positions, then N layers of attention, sum and norm, feed-forward, sum and norm. On "
    "the right the decoder: the tokens so far, embedding, sum with the positions, then N layers of "
    "masked attention, cross-attention to what the encoder gives, and feed-forward, each with sum "
    "and norm; a linear layer and a softmax give the next word, and the loss in training. Below, "
    "inside attention: X becomes Q, K and V; queries and keys give scores, some are masked, a "
    "softmax makes them weights, and the weights mix the values into Y."
)


class Stack:
    """Encoder or decoder: tokens, embedding, the sum with the positions, and N layers."""

    def __init__(self, title: str, words: str, side: str, *sublayers: Box) -> None:
        self.tokens = box(words, "data", width=WIDTH)
        self.embedding = box("embedding", note="a vector for each token", width=WIDTH)
        self.sum, self.side = circle(), side
        self.fork = space()  # where the first residual connection begins
        self.sums = [circle() for _ in sublayers]
        self.norms = [box("norm", "norm") for _ in sublayers]
        inner = zip(sublayers, self.sums, self.norms, strict=True)
        self.chain: list[Node] = [node for three in inner for node in three]
        layers = group(title, column(self.fork, *self.chain, gap=GAP), note="N layers", edge=36)
        self.whole = column(self.tokens, self.embedding, self.sum, layers, gap=GAP)

    def links(self) -> list[Link]:
        """Return the arrows downwards, and the residual connections around each sublayer."""
        down = pairwise([self.tokens, self.embedding, self.sum, *self.chain])
        starts = [self.fork, *self.norms[:-1]]
        links: list[Link] = [arrow(start, end) for start, end in down]
        for start, end in zip(starts, self.sums, strict=True):
            turn = arrow(start, end, bend="elbow", start_side=self.side, end_side=self.side)
            links.append(turn)
        return links


def machine() -> Diagram:
    """Draw the Transformer: encoder and decoder side by side, and below them attention."""
    attention = box("attention", note="tokens look at tokens", width=WIDTH)
    masked = box("masked attention", note="only at tokens so far", width=WIDTH)
    cross = box("cross-attention", note="at the encoder’s output", width=WIDTH)
    encoder = Stack("Encoder", "input tokens", "left", attention, _feed_forward())
    decoder = Stack("Decoder", "tokens so far", "right", masked, cross, _feed_forward())
    positions = box("positions", note="who stands where")
    output = box("linear, softmax", note="a chance for each word", width=WIDTH)
    word, loss = box("next word", "output"), box("loss", note="in training", width=120)
    right = column(decoder.whole, output, word, gap=GAP + 4)
    to_sum = encoder.tokens.height + encoder.embedding.height + 2 * GAP + encoder.sum.height / 2
    middle = column(space(0, to_sum - positions.height / 2), positions, gap=0)
    to_loss = decoder.whole.height + GAP + 4 + (output.height - loss.height) / 2
    left = column(encoder.whole, space(0, to_loss - encoder.whole.height), loss, gap=0)
    inset, inside = _attention()
    links = [*encoder.links(), *decoder.links(), arrow(positions, encoder.sum)]
    links += [arrow(positions, decoder.sum), arrow(decoder.norms[-1], output)]
    links += [arrow(output, word), arrow(output, loss)]
    links.append(arrow(encoder.norms[-1], cross, bend="elbow", start_side="right", end_side="left"))
    top = row(left, middle, right, gap=14, align="start")
    return draw(column(top, inset, gap=30), *links, *inside, alt=ALT)


def _feed_forward() -> Box:
    return box("feed-forward", "feed_forward", note="each token by itself", width=WIDTH)


def _attention() -> tuple[Group, list[Link]]:
    """X to Q, K and V, scores, mask and weights, and the weighted sum of the values."""
    x, y = box("X", "data"), box("Y", "output")
    q, k, v = box("Q", "query"), box("K", "key"), box("V", "value")
    scores = box("scores", "score", note="QKᵀ / √d_head")
    mask = box("mask", "off", note="if any")
    weights = box("weights", "weight", note="softmax by row")
    upper = row(column(q, k, gap=10), scores, mask, weights, gap=24)
    lower = row(v, space(upper.width - v.width - y.width - 60), y, gap=30)
    flow: Grid = row(x, column(upper, lower, gap=22, align="start"), gap=36)
    links: list[Link] = [arrow(x, part) for part in (q, k, v)]
    links += [arrow(part, scores) for part in (q, k)]
    links += [arrow(scores, mask), arrow(mask, weights)]
    links += [arrow(weights, y), arrow(v, y, "mixed by the weights")]
    return group("Inside attention", flow, note="H heads do this side by side", edge=30), links
