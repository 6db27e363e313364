"""Draw the whole machine on one strip: encoder above, decoder below, and attention.

Every chapter begins with this drawing, with the parts that it explains lit. The parts have the
names that a chapter's metadata use under `lit`.
"""

import html
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lessons.kit.diagrams import Box, Circle, Diagram, Node, arrow
from lessons.kit.diagrams.text import px, text_svg, width_of
from transformer_lite.checks import check_choice

#: The parts and their names in prose.
PARTS = {
    "tokens": "Tokens",
    "embedding": "Embedding",
    "positions": "Positions",
    "attention": "Attention",
    "scores": "Scores and weights",
    "mask": "Masks",
    "heads": "Heads",
    "norm": "Normalization",
    "residual": "Residual connections",
    "feed_forward": "Feed-forward layer",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross_attention": "Cross-attention",
    "output": "Output",
    "loss": "Loss",
}
ALT = (
    "The Transformer. Above, the encoder: tokens are embedded, positions are added, and N layers "
    "follow, each with attention and a feed-forward layer, and after both a residual sum and a "
    "norm. Below, the decoder: the same with masked attention, then cross-attention to what the "
    "encoder gives, then a linear layer with softmax for the next word. Inside attention: X "
    "becomes Q, K and V; scores, mask and softmax give weights, which mix V into Y."
)
BRIEF = "The Transformer: encoder above, decoder below, the inside of attention next to them."
FLAG = "you are here"
WIDTH, HEIGHT, LEAST = 900, 324, 720
#: Heights: the middle of the lanes, of the nodes between them, and of the flags.
UPPER, BETWEEN, LOWER, FLAGS = 94, 160, 235, (11, 311)


class Part(Box):
    """A box as small as its label, which belongs to a part of the machine."""

    def __init__(self, part: str, label: str, kind: str = "plain") -> None:
        super().__init__(label, kind)
        self.part = part
        self.width = max(self.text_width + (14 if kind == "norm" else 10), 30)
        self.height = self.text_height + 9


class Frame(Node):
    """A frame with a title at its upper left or right, which belongs to a part."""

    def __init__(
        self, part: str, title: str, anchor: str, left: float, top: float, right: float
    ) -> None:
        super().__init__(right - left, 104)
        self.part, self.title, self.anchor = part, title, anchor
        self.place(left, top)

    def svg(self) -> str:
        at = self.x + 10 if self.anchor == "start" else self.x + self.width - 10
        return (
            f'<rect class="tl-d-group" x="{px(self.x)}" y="{px(self.y)}" '
            f'width="{px(self.width)}" height="{px(self.height)}" rx="10"/>'
            f"{text_svg(self.title, at, self.y + 5, classes='tl-d-bold', anchor=self.anchor)}"
        )


class Heads(Node):
    """The label of the heads, and the cards of the other heads behind the first one."""

    part, words = "heads", "H heads"

    def __init__(self, card: Frame) -> None:
        super().__init__(width_of(self.words, bold=True), 20)
        self.card = card
        self.place(card.x + card.width - 10 - self.width, card.y + 4)

    def svg(self) -> str:
        x, y = self.card.x + self.card.width, self.card.y + self.card.height
        cards = "".join(
            f'<path class="tl-d-line" d="M{px(x + k)} {px(self.card.y + 12 + k)}V{px(y + k - 10)}'
            f'q0 10 -10 10H{px(self.card.x + 12 + k)}"/>'
            for k in (5, 10)
        )
        return cards + text_svg(self.words, self.center[0], self.y + 1, classes="tl-d-bold")


class Sum(Circle):
    """The circle where a residual connection is added."""

    part = "residual"

    def __init__(self, sublayer: Part, way: int) -> None:
        super().__init__("+")
        self.sublayer, self.way = sublayer, way  # above the boxes (-1) or below them (1)

    def svg(self) -> str:
        (end, y), x = self.center, self.sublayer.x - 8
        far, turn = y + self.way * 40, y + self.way * 32
        path = (
            f"M{px(x)} {px(y)}V{px(turn)}Q{px(x)} {px(far)} {px(x + 8)} {px(far)}H{px(end - 8)}"
            f"Q{px(end)} {px(far)} {px(end)} {px(turn)}V{px(y + self.way * self.height / 2)}"
        )
        return f'<path class="tl-d-line" d="{path}"/>{super().svg()}'


class Lane:
    """One row of the machine, from left to right: embedding, positions, and the sublayers."""

    def __init__(self, part: str, words: str, y: float, *sublayers: Part) -> None:
        way = 1 if part == "decoder" else -1
        self.tokens, self.embedding = Part("tokens", words, "data"), Part("embedding", "embedding")
        self.sum, self.sublayers = Circle("+"), sublayers
        self.sums = [Sum(sublayer, way) for sublayer in sublayers]
        self.norms = [Part("norm", "norm", "norm") for _ in sublayers]
        inner = zip(sublayers, self.sums, self.norms, strict=True)
        self.chain = [self.embedding, self.sum, *(node for three in inner for node in three)]
        x = 10.0
        for node, gap in zip(self.chain, [11, 30, *[10, 10, 17] * len(sublayers)], strict=True):
            node.place(x, y - node.height / 2)
            x += node.width + gap
        middle = self.embedding.center[0] - self.tokens.width / 2
        self.tokens.place(middle, y + way * 45 - self.tokens.height / 2)
        left, top = self.sum.x + self.sum.width + 11, y - (68 if way < 0 else 54)
        self.frame = Frame(
            part, f"{PARTS[part]}, N layers", "start" if way > 0 else "end", left, top, x - 8
        )

    def lines(self) -> list[str]:
        steps = [(self.tokens, self.embedding), *pairwise(self.chain)]
        return [arrow(start, end).svg() for start, end in steps]


def machine(lit: Sequence[str] = ()) -> Diagram:
    """Draw the whole Transformer, with some parts lit.

    Args:
        lit: names of parts, the one that matters most first.

    Raises:
        ValueError: a name is not a part.

    >>> machine(lit=["norm"]).alt.endswith("Lit: Normalization.")
    True
    """
    return Diagram(machine_svg(lit), _alt(lit))


def machine_svg(lit: Sequence[str] = (), links: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Draw the machine; `links` maps a part to the address and the name of its chapter."""
    for part in lit:
        check_choice("lit", part, PARTS)
    links, named = links or {}, set[str]()
    nodes, lines = _machine()
    body = f'<g aria-hidden="true">{"".join(lines)}</g>'
    for node in nodes:
        part = getattr(node, "part", "")
        body += _part(node.svg(), part, part in lit, links.get(part), part not in named)
        named.add(part)
    if lit:
        body += _flag(next(node for node in nodes if getattr(node, "part", "") == lit[0]))
    label = _alt(lit) if not links else BRIEF + _lit(lit)
    role, kind = "group" if links else "img", "tl-d tl-machine" + " tl-m-some" * bool(lit)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="{role}" '
        f'aria-label="{html.escape(label)}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" style="max-width:{WIDTH}px;min-width:{LEAST}px">{body}</svg>'
    )


def _alt(lit: Sequence[str]) -> str:
    return ALT + _lit(lit)


def _lit(lit: Sequence[str]) -> str:
    return f" Lit: {', '.join(PARTS[part] for part in lit)}." if lit else ""


def _part(drawn: str, part: str, is_lit: bool, link: tuple[str, str] | None, is_first: bool) -> str:
    """Wrap the elements of a part; only the first of several is announced and has a tab stop."""
    classes = "tl-m-part tl-m-lit" if is_lit else "tl-m-part"
    if link is None:
        return f'<g class="{classes}" aria-hidden="true">{drawn}</g>'
    address, chapter = (html.escape(text) for text in link)
    if not is_first:
        quiet = 'tabindex="-1" aria-hidden="true"'
        return f'<a class="{classes}" href="{address}" {quiet}>{drawn}</a>'
    here = ' aria-current="true"' if is_lit else ""
    name = f"{PARTS[part]}, {chapter}"
    return f'<a class="{classes}" href="{address}" aria-label="{name}"{here}>{drawn}</a>'


def _machine() -> tuple[list[Node], list[str]]:
    """Return all nodes with their positions, and the lines between them."""
    feed_forward = "feed_forward", "feed-\nforward", "feed_forward"
    attention, cross = Part("attention", "attention"), Part("cross_attention", "cross-\nattention")
    masked = Part("attention", "masked\nattention")
    encoder = Lane("encoder", "input tokens", UPPER, attention, Part(*feed_forward))
    decoder = Lane("decoder", "tokens so far", LOWER, masked, cross, Part(*feed_forward))
    positions = Part("positions", "positions")
    positions.place(encoder.sum.center[0] - positions.width / 2, BETWEEN - positions.height / 2)
    output, word = Part("output", "linear,\nsoftmax"), Part("output", "next\nword", "data")
    output.place(decoder.frame.x + decoder.frame.width + 15, LOWER - output.height / 2)
    word.place(output.x + output.width + 11, LOWER - word.height / 2)
    loss = Part("loss", "loss")
    loss.place(output.center[0] - loss.width / 2, output.y - 18 - loss.height)
    last = decoder.norms[-1]
    arrows: list[tuple[Node, Node]] = [
        (positions, encoder.sum),
        (positions, decoder.sum),
        (last, output),
    ]
    arrows += [(output, word), (output, loss)]
    lines = [arrow(start, end).svg() for start, end in arrows]
    lines += [*encoder.lines(), *decoder.lines(), _memory(encoder.norms[-1], cross)]
    inset, inner = _inset(encoder.frame.x + encoder.frame.width + 26)
    nodes = [encoder.tokens, *encoder.chain, positions, decoder.tokens, *decoder.chain]
    return [encoder.frame, decoder.frame, *nodes, output, word, loss, *inset], lines + inner


def _memory(start: Node, end: Node) -> str:
    """Return the arrow from the encoder's output to the decoder's cross-attention."""
    (x, y), (to, top), middle = start.port("right"), end.port("top"), BETWEEN - 5
    x += 22
    path = (
        f"M{px(x - 22)} {px(y)}H{px(x - 8)}q8 0 8 8V{px(middle - 8)}q0 8 -8 8"
        f"H{px(to + 8)}q-8 0 -8 8V{px(top - 7)}"
    )
    return (
        f'<path class="tl-d-line" d="{path}"/>'
        f'<path class="tl-d-tip" d="M{px(to)} {px(top)}l-4.5 -9h9z"/>'
    )


def _inset(x: float) -> tuple[list[Node], list[str]]:
    """Inside attention: X to Q, K, V; scores, mask and softmax; the weights mix V into Y."""
    card = Frame("attention", "Attention", "start", x, UPPER - 68, WIDTH - 14)
    card.height = 116
    start, end = Part("", "X", "data"), Part("", "Y", "output")
    q, k, v = Part("", "Q", "query"), Part("", "K", "key"), Part("", "V", "value")
    steps = Part("scores", "scores", "score"), Part("mask", "mask", "off")
    weights = Part("scores", "weights", "weight")
    lanes = card.y + 38, card.y + 68, card.y + 98
    for part, y in zip((q, k, v), lanes, strict=True):
        part.height = 26
        part.place(x + 52, y - 13)
    start.place(x + 8, lanes[1] - start.height / 2)
    left = x + 97
    for part in (*steps, weights):
        part.place(left, (lanes[0] + lanes[1]) / 2 - part.height / 2)
        left += part.width + 11
    end.place(weights.center[0] - end.width / 2, lanes[2] - end.height / 2)
    pairs: list[tuple[Node, Node]] = [
        *((start, part) for part in (q, k, v)),
        (q, steps[0]),
        (k, steps[0]),
    ]
    pairs += [*pairwise((*steps, weights)), (weights, end), (v, end)]
    nodes: list[Node] = [Heads(card), card, start, q, k, v, *steps, weights, end]
    return nodes, [arrow(a, b).svg() for a, b in pairs]


def _flag(node: Node) -> str:
    """Return a flag with a stem that marks the part which the chapter explains."""
    width = width_of(FLAG, bold=True) + 16
    x, y = node.center
    if abs(y - BETWEEN) < 25:  # between the lanes there is room at its side
        side = "right" if x < WIDTH / 2 else "left"
        end = node.port(side)
        x = end[0] + (1 if side == "right" else -1) * (width / 2 + 12)
        start = x, y
    else:
        y, side = (FLAGS[0], "top") if y < BETWEEN else (FLAGS[1], "bottom")
        start, end = (x, y), node.port(side)
        x = min(max(x, width / 2 + 2), WIDTH - width / 2 - 2)
    return (
        f'<g class="tl-m-flag" aria-hidden="true">'
        f'<path d="M{px(start[0])} {px(start[1])}L{px(end[0])} {px(end[1])}"/>'
        f'<rect x="{px(x - width / 2)}" y="{px(y - 10)}" width="{px(width)}" height="20" rx="4"/>'
        f"{text_svg(FLAG, x, y - 10, classes='tl-d-bold')}</g>"
    )
