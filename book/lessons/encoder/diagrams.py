"""Guests at a round table, the shapes in the stack, copied layers, and masks for pads."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    Node,
    arrows,
    box,
    brace,
    column,
    draw,
    group,
    matrix,
    permissions,
    row,
    text,
)

WORDS = ["Merci", "<pad>", "<pad>"]
REAL = torch.tensor([True, False, False])
GUESTS = ["Wim", "Xia", "Yan", "Zoe", "Ann", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal"]
OFFSETS = range(-4, 8)


def round_table() -> Diagram:
    """Draw which of twelve guests Ann knows before the first layer and after each layer."""
    left, right, lines = 0, 1, []
    for _ in range(3):
        lines.append([left <= offset <= right for offset in OFFSETS])
        left, right = 2 * left - right, 2 * right - left
    names = [
        [guest if known else "" for guest, known in zip(GUESTS, line, strict=True)]
        for line in lines
    ]
    new = [
        (i, j) for i in (1, 2) for j in range(len(GUESTS)) if lines[i][j] and not lines[i - 1][j]
    ]
    return draw(
        matrix(
            names,
            "key",
            "seats to the right of Ann",
            ["Ann’s card", "after layer 1", "after layer 2"],
            [f"{offset:+}".replace("-", "−") if offset else "0" for offset in OFFSETS],
            off=[[not known for known in line] for line in lines],
            lit=new,
            brackets=False,
        ),
        alt="What Ann knows about twelve seats, from 4 to her left to 7 to her right. Her card has "
        "two names: Ann and Ben. After layer 1 she knows four: Zoe, Ann, Ben and Cleo. After layer "
        "2 she knows ten, from Wim, 4 seats to the left, to Fay, 5 seats to the right. Only Gus "
        "and Hal are missing.",
        caption="Each layer adds a strip of names at both ends. Framed: what is new. Hatched: "
        "what Ann does not know yet.",
    )


def stack() -> Diagram:
    """Draw Je suis étudiant from ids to the memory, and the inside of one of the six layers."""
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
        "while Merci may still attend to both pads.",
        caption="Rows are queries, columns are keys. Only the left mask hides the pads from Merci.",
    )


def copied_or_shared() -> Diagram:
    """Draw six layers with weights of their own, and one layer that is used six times."""
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
