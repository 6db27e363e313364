"""The recurrence unrolled, a gate, one vector between two languages, a context for each word."""

from itertools import pairwise

from lessons.kit.diagrams import Diagram, arrow, arrows, box, circle, column, draw, row

SOURCE = ["le", "chat", "noir"]
TARGET = ["the", "black", "cat"]


def unrolled() -> Diagram:
    """Draw one cell once for each word, with the same weights and the state passed along."""
    words = [box(word, "data", width=64) for word in SOURCE]
    states = [box(f"h_{i}", "output", width=64) for i in (1, 2, 3)]
    start = box("h_0", "off", "zeros", width=64)
    return draw(
        column(row(start, *states, gap=64), row(box("x_t", "data", width=64), *words, gap=64)),
        *(arrow(a, b, "U") for a, b in pairwise([start, *states])),
        *(
            arrow(word, state, "W", start_side="top", end_side="bottom", label_side="right")
            for word, state in zip(words, states, strict=True)
        ),
        alt="Four states in a row, h0 to h3; h0 holds zeros. An arrow marked U leads from each "
        "state to the next. Below h1, h2 and h3 stand the words le, chat and noir, and an arrow "
        "marked W leads from each word up to its state.",
        caption="The recurrence unrolled. W and U are the same at every step, and no step can "
        "begin before the one on its left is done.",
    )


def gate() -> Diagram:
    """Draw how the GRU's gate z mixes the old state with the new one."""
    old, new = box("h_{t−1}", "plain", note="the old state"), box("n", "query", note="the new one")
    keep, write = box("× z", "weight"), box("× (1 − z)", "weight")
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
        alt="The old state, h t minus 1, is multiplied by z, and the new one, n, by 1 minus z. "
        "The two are added, and give the state h t.",
        caption="A gate of the GRU, entry by entry. At z = 1 the old state stays, at z = 0 the new "
        "one takes its place.",
    )


def bottleneck() -> Diagram:
    """Draw a decoder that gets only the encoder's last state."""
    words = [box(word, "data", width=60) for word in SOURCE]
    encoder = [box(f"h_{i}", "plain", width=60) for i in (1, 2, 3)]
    z = box("z*", "value", bold=True)
    decoder = [box(f"s_{i}", "plain", width=60) for i in (1, 2, 3)]
    said = [box(word, "output", width=60) for word in TARGET]
    return draw(
        row(
            column(row(*encoder, gap=26), row(*words, gap=26), gap=34),
            z,
            column(row(*said, gap=26), row(*decoder, gap=26), gap=34),
            gap=34,
        ),
        *arrows(*encoder, z, *decoder),
        *(
            arrow(a, b, start_side="top", end_side="bottom")
            for a, b in zip(words, encoder, strict=True)
        ),
        *(
            arrow(a, b, start_side="top", end_side="bottom")
            for a, b in zip(decoder, said, strict=True)
        ),
        alt="On the left the encoder: le, chat and noir, each with an arrow up to its state h1, "
        "h2, h3, and the states joined from left to right. From h3 one arrow leads to a single "
        "box, z star, in the middle, and from there one to s1, the first state of the decoder on "
        "the right. s1, s2 and s3 are joined, and say the, black and cat.",
        caption="The bottleneck. Three words or thirty: what the decoder knows of them is z*, and "
        "z* does not grow.",
    )


def context() -> Diagram:
    """Draw how a state weighs all annotations, and how their sum enters the next state."""
    annotations = [
        box(f"h_{i}", "value", note=word, width=76) for i, word in enumerate(SOURCE, start=1)
    ]
    plus = circle("Σ", "weight")
    before, after = box("s_{i−1}", "query"), box("s_i", "plain")
    c, y = box("c_i", "output"), box("y_{i−1}", "data", note="the word before")
    weights = box("α_{i1}, α_{i2}, α_{i3}", "weight", note="softmax of v·tanh(W s + U h)")
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
        alt="On top the three annotations h1, h2 and h3, of le, chat and noir; each has an arrow "
        "to a sum sign. The weights alpha i1, i2 and i3, the softmax of v times tanh of W s plus "
        "U h, come from the state before, s i minus 1, and lead to the sum as well. The sum gives "
        "the context c i. The next state s i has three arrows coming in: from s i minus 1, from c "
        "i and from the word before, y i minus 1.",
        caption="Attention's context: every target word has its own, and the way from a target "
        "word to any source word is one step long.",
    )
