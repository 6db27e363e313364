"""Masks: a batch with pads, a mask that is stretched over its queries, and the staircase."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    brace,
    column,
    draw,
    group,
    matrix,
    permissions,
    row,
    text,
)
from transformer_lite.layers.masks import look_ahead_mask, padding_mask

FIRST, SECOND = ["the", "cat", "sat"], ["a", "dog", "ran", "home", "fast"]
IDS = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]])
PADS = IDS == 0


def batch() -> Diagram:
    """Draw how two sentences of unequal length become one table of ids, with hatched pads."""
    words = matrix([[*FIRST, "", ""], SECOND], name="sentences", brackets=False)
    ids = matrix(IDS.tolist(), "data", shape="(B, T) = (2, 5)", off=PADS, shaded=False)
    for i, j in PADS.nonzero().tolist():
        ids.cells[i][j].label = "0"
    return draw(
        row(words, ids, gap=84),
        arrow(words, ids, "token ids"),
        brace(*(ids.cell(0, j) for j in (3, 4)), label="pads", side="top"),
        alt="Two sentences, the cat sat and a dog ran home fast, become the ids 1, 2, 3, 0, 0 and "
        "4, 5, 6, 7, 8 of shape (2, 5). The two zeros are pads.",
    )


def broadcast() -> Diagram:
    """Draw how a row of permissions for each sentence is broadcast over the queries."""
    masks = padding_mask(IDS).squeeze(1)
    rows = [permissions(mask, shape="(1, 5)") for mask in masks]
    tables = [permissions(mask.expand(5, 5), shape="(5, 5)") for mask in masks]
    names = ("the cat sat", "a dog ran home fast")
    groups = [
        group(name, row(*pair, gap=42)) for name, *pair in zip(names, rows, tables, strict=True)
    ]
    return draw(
        column(
            row(*groups, gap=12),
            text("mask (B, 1, S) = (2, 1, 5)   meets   scores (B, T, S) = (2, 5, 5)"),
            gap=12,
        ),
        *(arrow(*pair, "× 5") for pair in zip(rows, tables, strict=True)),
        alt="For each of two sentences one row of five permissions is stretched over five queries. "
        "In the first sentence the last two columns, the pads, are forbidden in every row; in the "
        "second nothing is forbidden. The shape (2, 1, 5) becomes (2, 5, 5).",
    )


def staircase() -> Diagram:
    """Draw the look-ahead mask of a sentence, and the next word that each row predicts."""
    inputs, answers = SECOND[:-1], SECOND[1:]
    mask = permissions(
        look_ahead_mask(len(inputs)),
        "may attend to",
        rows=inputs,
        columns=inputs,
        shape="(T, S) = (4, 4)",
        lit=[(i, i) for i in range(len(inputs))],
    )
    words = matrix([[word] for word in answers], "output", "next word", brackets=False)
    return draw(
        row(mask, words, gap=110),
        *(arrow(mask.cell(i, len(inputs) - 1), words.cell(i, 0)) for i in range(len(inputs))),
        alt="A staircase of permissions for the words a, dog, ran, home. Each row may attend to "
        "its own word and to those before it, and predicts the next: dog, ran, home, fast.",
    )
