"""Draw a decoder layer, the shapes of cross-attention, the shift by one, and a leaking mask."""

from lessons.kit.diagrams import (
    Arrow,
    Diagram,
    arrow,
    arrows,
    box,
    column,
    draw,
    matrix,
    row,
    text,
)
from transformer_lite.layers.masks import look_ahead_mask

SOURCE = ["je", "suis", "étudiant", "<eos>"]
INPUTS = ["<bos>", "i", "am", "a", "student"]
LABELS = ["i", "am", "a", "student", "<eos>"]


def layer() -> Diagram:
    """Draw three sub-layers, each with a sum and a norm; the memory enters the second."""
    names = [
        ("masked\nself-\nattention", "score"),
        ("cross-\nattention", "score"),
        ("feed-\nforward", "feed_forward"),
    ]
    x, y = box("x", "data", "(T, D)"), box("y", "output", "(T, D)")
    subs = [box(name, kind) for name, kind in names]
    joins = [box("Add &\nNorm", "norm") for _ in subs]
    chain = [x, *(node for pair in zip(subs, joins, strict=True) for node in pair), y]
    memory = box("memory", "data", "(S, D), from the encoder")
    return draw(
        column(memory, row(*chain, gap=18), gap=44),
        *arrows(*chain),
        *(
            arrow(a, b, bend="elbow", start_side="bottom", end_side="bottom")
            for a, b in zip([x, *joins], joins, strict=False)
        ),
        arrow(memory, subs[1], "K, V", start_side="bottom", end_side="top", label_side="right"),
        alt="A decoder layer from left to right: x of shape (T, D), masked self-attention, Add and "
        "Norm, cross-attention, Add and Norm, feed-forward, Add and Norm, y of shape (T, D). A "
        "skip connection goes around each of the three. The memory of shape (S, D) comes from the "
        "encoder and enters the cross-attention as keys and values.",
        caption="One decoder layer, post-norm. Only the second sub-layer reads the memory.",
    )


def rectangle() -> Diagram:
    """Draw cross-attention with its shapes: five queries, four keys."""
    x, memory = box("x", "data", "(T, D) = (5, 64)"), box("memory", "data", "(S, D) = (4, 64)")
    q, k = box("Q", "query", "(T, K) = (5, 16)"), box("K", "key", "(S, K) = (4, 16)")
    v = box("V", "value", "(S, K) = (4, 16)")
    signs = [["✓"] * 4 for _ in INPUTS]
    weights = matrix(
        signs, "weight", "weights", rows=INPUTS, columns=SOURCE, shape="(T, S) = (5, 4)"
    )
    out = box("context", "output", "(T, K) = (5, 16)")
    left = column(x, memory, gap=62, equal=True)
    middle = column(q, k, v, gap=22, equal=True)
    return draw(
        column(row(left, middle, weights, gap=44), out, gap=34),
        *arrows(x, q, weights),
        *arrows(memory, k, weights),
        arrow(memory, v),
        arrow(weights, out, start_side="bottom", end_side="right", bend="elbow"),
        arrow(v, out, start_side="bottom", end_side="left", bend="elbow"),
        alt="Cross-attention. x of shape (5, 64) gives the queries Q (5, 16). The memory (4, 64) "
        "gives the keys K and the values V, both (4, 16). Queries and keys make a table of weights "
        "with five rows, one for each of bos, i, am, a, student, and four columns, je, suis, "
        "étudiant, eos. All cells are open. Weights and values give the context, (5, 16).",
        caption="One head of cross-attention. Every cell is open, because no source token lies in "
        "the future.",
    )


def shifted() -> Diagram:
    """Draw the target twice, shifted by one position: the inputs and the labels."""
    inputs = matrix([INPUTS], "data", rows=["input"], brackets=False)
    labels = matrix([LABELS], "output", rows=["label"], brackets=False)
    wide = max(cell.width for cell in (*inputs.cells[0], *labels.cells[0]))
    for table in (inputs, labels):
        for cell in table.cells[0]:
            cell.width = wide
        table._measure()
    return draw(
        column(inputs, labels, gap=40, align="end"),
        *(arrow(inputs.cell(0, i), labels.cell(0, i)) for i in range(5)),
        alt="Two rows, one below the other. Inputs: bos, i, am, a, student. Labels: i, am, a, "
        "student, eos. An arrow leads from each input to the label below it, which is the next "
        "word.",
        caption="Each position reads one word and must predict the next.",
    )


def leak() -> Diagram:
    """Draw two layers, the second without a mask: a path from the future to position 0."""
    words = INPUTS[:3]
    below = [box(word, "data", width=76) for word in words]
    middle = [box(f"h_{i}", width=76) for i in (1, 2, 3)]
    above = [box(f"y_{i}", "output", width=76) for i in (1, 2, 3)]
    links: list[Arrow] = []
    allowed = look_ahead_mask(3)
    for i in range(3):
        links += [
            arrow(below[j], middle[i], start_side="top", end_side="bottom", bend="straight")
            for j in range(3)
            if allowed[i, j]
        ]
        links += [
            arrow(
                middle[j],
                above[i],
                start_side="top",
                end_side="bottom",
                bend="straight",
                dashed=j > i,
            )
            for j in range(3)
        ]
    return draw(
        row(
            column(
                *(text(t, small=True) for t in ("layer 2,\nno mask", "layer 1,\nmasked")), gap=62
            ),
            column(*(row(*line, gap=64, equal=True) for line in (above, middle, below)), gap=62),
            gap=30,
        ),
        *links,
        alt="Three tokens, bos, i and am, with two layers above them. In layer 1, arrows lead only "
        "from a token to its own position and to positions on its right. In layer 2, arrows lead "
        "from every position to every position; those that lead to the left are dashed. Through "
        "them am reaches the first output.",
        caption="The dashed arrows are those that the second layer adds if it has no mask. One "
        "such layer is enough for a leak.",
    )
