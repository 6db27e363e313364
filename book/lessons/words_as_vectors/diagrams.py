"""A lookup as a product, and the two guesses of word2vec with their two tables."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    arrow,
    box,
    column,
    draw,
    group,
    matrix,
    row,
    text,
)
from transformer_lite.layers.loss import one_hot

WORDS = ["we", "ate", "pasta", "in", "rome"]
TABLE = torch.tensor([[0.1, -0.3, 0.2], [0.4, 0.8, -0.1], [0.9, -0.5, 0.7], [0, 0.2, -0.6]])
TABLE = torch.cat([TABLE, torch.tensor([[0.3, 0.6, 0.5]])])
PLACE = 2


def lookup() -> Diagram:
    """Draw the one-hot vector of a word times the table: one row comes out."""
    hot = one_hot(torch.tensor(PLACE), len(WORDS))[None]
    first = matrix(hot, "query", "one-hot", shape="(1, V)", digits=0, lit=[(0, PLACE)])
    lit = [(PLACE, j) for j in range(TABLE.shape[1])]
    table = matrix(TABLE, "key", "table X", rows=WORDS, shape="(V, D)", digits=1, lit=lit)
    found = matrix(hot @ TABLE, "output", "x", shape="(1, D)", digits=1)
    return draw(
        row(first, text("times"), table, text("="), found, gap=26),
        alt="The one-hot vector of pasta, 0 0 1 0 0, times a table with a row of three numbers for "
        "each of the words we, ate, pasta, in, rome. The 1 is in the third position and picks the "
        "third row, 0.9, −0.5, 0.7, which is the result.",
        caption="The 1 picks a row; the zeros remove all others. A program just looks up the row.",
    )


def two_models() -> Diagram:
    """From the context to the middle, and from the middle to each word of the context."""
    around = [word for i, word in enumerate(WORDS) if i != PLACE]
    context = [box(word, "data", width=62) for word in around]
    mean = box("mean of rows", "key", note="table of inputs")
    guess = box(WORDS[PLACE], "output", note="table of outputs")
    middle = box(WORDS[PLACE], "data", width=62)
    vector = box("its row", "key", note="table of inputs")
    guesses = [box(word, "output", width=62) for word in around]
    bag = group(
        "Continuous bag of words: one guess", row(column(*context, gap=9), mean, guess, gap=74)
    )
    pairs = group("Skip-gram: four guesses", row(middle, vector, column(*guesses, gap=9), gap=74))
    return draw(
        column(bag, pairs, gap=26, equal=True),
        *(arrow(word, mean, bend="straight") for word in context),
        arrow(mean, guess, "guess"),
        arrow(middle, vector),
        *(arrow(vector, word, bend="straight") for word in guesses),
        alt="Two models read the window we, ate, pasta, in, rome. The continuous bag of words "
        "takes the mean of the input vectors of we, ate, in and rome and guesses pasta with the "
        "table of outputs. Skip-gram takes the input vector of pasta and guesses we, ate, in and "
        "rome, each by itself, with the table of outputs.",
        caption="The same window, read in two directions. Both models have two tables.",
    )


def negative_sampling() -> Diagram:
    """Draw one pair that came, two words that were drawn, and which way each vector is moved."""
    x = box("x of pasta", "key", note="its row of inputs")
    came = box("w of ate", "output", note="came: target 1")
    drawn = [box(f"w of {word}", "off", note="drawn: target 0") for word in ("army", "she")]
    return draw(
        row(x, column(came, *drawn, gap=18, equal=True), gap=150),
        arrow(x, came, "pull together", bend="straight"),
        *(arrow(x, word, bend="straight", dashed=True) for word in drawn),
        alt="The input vector of pasta and three output vectors: that of ate, which occurs in its "
        "window, and those of army and she, which were drawn by chance. A step pulls pasta and "
        "ate together and pushes pasta away from army and she.",
        caption="Negative sampling: a word from the window is pulled closer (solid), a few drawn "
        "by chance are pushed away (dashed). All other words stay where they are.",
    )
