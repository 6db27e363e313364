"""The stack with the shapes of one sentence, which half of a mask hides pads, three orders."""

import torch

from lessons.kit.diagrams import (
    Arrow,
    Diagram,
    Group,
    Node,
    arrow,
    arrows,
    box,
    brace,
    circle,
    column,
    draw,
    group,
    permissions,
    row,
    text,
)

WORDS = ["Merci", "<pad>", "<pad>"]
REAL = torch.tensor([True, False, False])


def stack() -> Diagram:
    """Je suis étudiant from ids to the memory, and inside one of the six layers."""
    ids = box("ids", "data", "(1, 3)")
    embedded = box("vectors", "data", "(1, 3, 512)")
    layers = [box(f"layer {n}") for n in (1, 2)], box("layer 6"), text("…")
    memory = box("memory", "output", "(1, 3, 512)")
    chain: list[Node] = [ids, embedded, *layers[0], layers[2], layers[1], memory]
    names = [
        ("Q, K, V", "query", "(1, 8, 3, 64)"),
        ("scores", "score", "(1, 8, 3, 3)"),
        ("joined", "value", "(1, 3, 512)"),
        ("Add &\nNorm", "norm", ""),
        ("hidden", "feed_forward", "(1, 3, 2048)"),
        ("Add &\nNorm", "norm", "(1, 3, 512)"),
    ]
    stages = [box(name, kind, shape) for name, kind, shape in names]
    inside = group("inside each layer", row(*stages, gap=17))
    return draw(
        column(row(*chain, gap=22), inside, gap=34),
        *arrows(*chain),
        *arrows(*stages),
        brace(*layers[0], layers[2], layers[1], label="all weights their own", side="top"),
        alt="Three ids of shape (1, 3) become vectors of shape (1, 3, 512), which go through the "
        "layers 1 to 6 and come out as the memory, again (1, 3, 512). Inside each layer: queries, "
        "keys and values (1, 8, 3, 64), scores (1, 8, 3, 3), the joined heads (1, 3, 512), Add and "
        "Norm (1, 3, 512), hidden units (1, 3, 2048), Add and Norm (1, 3, 512).",
        caption="Je suis étudiant on its way through the encoder of the base model.",
    )


def which_half() -> Diagram:
    """Draw a padding mask along the keys and one along the queries."""
    keys = permissions(REAL.expand(3, 3), "hide keys: columns", rows=WORDS, columns=WORDS)
    queries = permissions(REAL.expand(3, 3).T, "hide queries: rows", columns=WORDS)
    return draw(
        row(keys, queries, gap=44),
        alt="Two masks for Merci and two pads. Hide keys: the columns of both pads are forbidden "
        "in every row, and every row keeps Merci. Hide queries: the rows of both pads are empty, "
        "while Merci may still look at both pads.",
        caption="Rows ask, columns answer. Only the left one keeps the pads out of Merci.",
    )


def copied_or_shared() -> Diagram:
    """Six layers with weights of their own, and one layer that is gone through six times."""
    own = [box(f"layer {n}", note=f"weights {n}") for n in (1, 2, 3)]
    more, last = text("…"), box("layer 6", note="weights 6")
    one = [box(f"layer {n}", "feed_forward") for n in (1, 2, 3)]
    more_of_one, last_of_one = text("…"), box("layer 6", "feed_forward")
    upper: list[Node] = [*own, more, last]
    lower: list[Node] = [*one, more_of_one, last_of_one]
    frames = [group("copied", row(*upper, gap=26)), group("shared", row(*lower, gap=26), edge=30)]
    return draw(
        column(*frames, gap=24),
        *arrows(*upper),
        *arrows(*lower),
        brace(frames[1], label="weights 1, for all layers", side="bottom"),
        alt="Two stacks. Copied: layers 1 to 6, each with weights of its own. Shared: layers 1 to "
        "6 in a row, and all of them use the same weights.",
        caption="Two stacks of the same depth. Training moves six sets of weights, or one.",
    )


def _form(title: str, chain: list[Node], skip: tuple[Node, Node]) -> tuple[Group, list[Arrow]]:
    start, end = skip
    links = arrows(*chain)
    links.append(arrow(start, end, bend="elbow", start_side="right", end_side="right"))
    return group(title, column(*reversed(chain), gap=20), edge=40), links


def three_orders() -> Diagram:
    """Post-norm, pre-norm, and the mixture of both."""
    forms, links = [], []
    for title, order in (
        ("post-norm", "f+n"),
        ("pre-norm", "nf+"),
        ("neither", "fn+"),
    ):
        parts = {"f": box("sub-layer", "feed_forward"), "n": box("norm", "norm"), "+": circle("+")}
        x, y = box("x", "data"), box("y", "output")
        frame, own = _form(title, [x, *(parts[sign] for sign in order), y], (x, parts["+"]))
        forms.append(frame)
        links += own
    return draw(
        row(*forms, gap=22),
        *links,
        alt="Three blocks from bottom to top. Post-norm: sub-layer, sum with x, norm. Pre-norm: "
        "norm, sub-layer, sum with x. Neither: sub-layer, norm, sum with x.",
        caption="Where the norm stands: behind the sum, before the sub-layer, or between the two.",
    )
