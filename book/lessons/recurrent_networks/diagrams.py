"""Draw the unrolled recurrence, two gated cells, the bottleneck, and additive attention."""

from itertools import pairwise

from lessons.kit.diagrams import Diagram, arrow, arrows, box, circle, column, draw, row

SOURCE = ["le", "chat", "noir"]
TARGET = ["the", "black", "cat"]


def unrolled() -> Diagram:
    """Draw one cell for each word, with the same weights and the state passed along."""
    words = [box(word, "data", width=64) for word in SOURCE]
    states = [box(f"h_{i}", "output", width=64) for i in (1, 2, 3)]
    start = box("h_0 = 0", "off", width=64)
    steps = [column(state, word) for state, word in zip(states, words, strict=True)]
    return draw(
        row(start, *steps, gap=64, align="start"),
        *(arrow(a, b, "U") for a, b in pairwise([start, *states])),
        *(
            arrow(word, state, "W", start_side="top", end_side="bottom", label_side="right")
            for word, state in zip(words, states, strict=True)
        ),
        alt="Four states in a row, h0 to h3, with an arrow marked U from each to the next; h0 is "
        "zero. Arrows marked W lead from the words le, chat and noir up to h1, h2 and h3.",
        caption="The recurrence unrolled. W and U are the same at every step, and no step can "
        "begin before the previous one is done.",
    )


def gate() -> Diagram:
    """Draw how the GRU's update gate mixes the old state with the candidate."""
    old = box("h_{t−1}", "plain", note="the old state")
    new = box("n_t", "query", note="the candidate")
    keep, write = box("× u", "weight"), box("× (1 − u)", "weight")
    plus, after = circle("+", "weight"), box("h_t", "output")
    return draw(
        row(
            column(old, new, gap=30),
            column(keep, write, gap=40),
            plus,
            after,
            gap=48,
        ),
        *arrows(old, keep, plus, after),
        *arrows(new, write, plus),
        alt="The old state, h t minus 1, is multiplied by the update gate u, and the candidate, "
        "n t, by 1 minus u. The two are added and make the state h t.",
        caption="The GRU's update gate u, entry by entry. At u = 1 the old state does not change. "
        "At u = 0 the candidate replaces it.",
    )


def lstm() -> Diagram:
    """Draw the LSTM: a cell state that is only multiplied and added to, and its hidden state."""
    old = box("c_{t−1}", "value", note="old cell state")
    forget = box("× f", "weight", note="forget gate")
    plus = box("+", "weight", note="sum")
    cell = box("c_t", "value", note="new cell state")
    show = box("tanh, × o", "weight", note="output gate")
    after = box("h_t", "output", note="hidden state")
    candidate = box("g", "query", note="candidate")
    write = box("× i", "weight", note="input gate")
    return draw(
        row(
            old,
            column(forget, candidate, gap=44),
            column(plus, write, gap=44),
            column(cell, show, after, gap=26),
            gap=40,
            align="start",
        ),
        *arrows(old, forget, plus, cell),
        arrow(cell, show, start_side="bottom", end_side="top"),
        arrow(show, after, start_side="bottom", end_side="top"),
        arrow(candidate, write),
        arrow(write, plus, start_side="top", end_side="bottom", bend="straight"),
        alt="In a straight line: the old cell state c t minus 1 is multiplied by the forget gate "
        "f, the candidate g times the input gate i is added, and the result is the new cell state "
        "c t. Tanh and the output gate o turn it into the hidden state h t.",
        caption="The LSTM. The cell state c runs straight through: it is only multiplied by f and "
        "added to. f, i, o and g are each computed from the word x_t and the hidden state h_{t−1}.",
    )


def bottleneck() -> Diagram:
    """Draw a decoder that gets only the encoder's last state and the words it reads."""
    words = [box(word, "data", width=60) for word in SOURCE]
    encoder = [box(f"h_{i}", "plain", width=60) for i in (1, 2, 3)]
    z = box("z*", "value", bold=True)
    decoder = [box(f"s_{i}", "plain", width=76) for i in (1, 2, 3)]
    written = [box(word, "output", width=76) for word in TARGET]
    read = [box(word, "data", width=76) for word in ["<bos>", *TARGET[:-1]]]
    title = box("the encoder reads", "off", width=160)
    pairs = [*zip(words, encoder, strict=True), *zip(read, decoder, strict=True)]
    return draw(
        row(
            column(title, row(*encoder, gap=26), row(*words, gap=26), gap=30),
            z,
            column(row(*written, gap=26), row(*decoder, gap=26), row(*read, gap=26), gap=30),
            gap=34,
        ),
        *arrows(*encoder, z, *decoder),
        *(arrow(a, b, start_side="top", end_side="bottom") for a, b in pairs),
        *(
            arrow(a, b, start_side="top", end_side="bottom")
            for a, b in zip(decoder, written, strict=True)
        ),
        alt="On the left the encoder: le, chat and noir lead up to the states h1, h2 and h3, which "
        "are joined from left to right. From h3 one arrow leads to a single box, z star, and from "
        "there one to s1, the first of three joined states of the decoder. They read bos, the and "
        "black, and write the, black and cat.",
        caption="The bottleneck. The decoder reads each word that it has just written. All it gets "
        "from the source is z*, which has the same size for three words and for thirty.",
    )


def context() -> Diagram:
    """Draw how a state weights all annotations, and how their sum enters the next state."""
    annotations = [
        box(f"h_{i}", "value", note=word, width=76) for i, word in enumerate(SOURCE, start=1)
    ]
    plus = circle("Σ", "weight")
    before, after = box("s_{i−1}", "query"), box("s_i", "plain")
    c, y = box("context_i", "output"), box("y_{i−1}", "data", note="previous word")
    weights = box("α_{i1}, α_{i2}, α_{i3}", "weight", note="softmax of v·tanh(W_q s + W_k h)")
    return draw(
        column(
            row(*annotations, gap=70),
            row(weights, plus, gap=80),
            row(before, after, c, y, gap=62),
            gap=44,
        ),
        *(
            arrow(h, plus, bend="straight", start_side="bottom", end_side="top")
            for h in annotations
        ),
        arrow(weights, plus),
        arrow(before, weights, start_side="top", end_side="bottom", bend="straight"),
        arrow(plus, c, start_side="bottom", end_side="top", bend="straight"),
        arrow(c, after),
        arrow(y, after, bend="elbow", start_side="bottom", end_side="bottom"),
        arrow(before, after),
        alt="Three annotations h1, h2 and h3, of le, chat and noir, lead to a sum. So do the "
        "weights alpha i1, i2 and i3, the softmax of v times tanh of W q s plus W k h, which come "
        "from the previous state, s i minus 1. The sum is the context of target word i. It leads "
        "to the next state s i, as s i minus 1 and the previous word do.",
        caption="Attention's context: every target word has its own, and the path from a target "
        "word to any source word is one step long.",
    )
