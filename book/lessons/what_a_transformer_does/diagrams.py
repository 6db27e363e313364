"""Pictures of what a Transformer does: it reads and writes, it learns, and it multiplies."""

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

WIDE = 74  # what a word of the translation takes


def read_and_write() -> Diagram:
    """Draw a translation: the encoder reads the whole sentence, the decoder writes word by word."""
    source = [box(word, "data", width=WIDE) for word in ("le", "chat", "dort")]
    vectors = [box("vector", "key", width=WIDE) for _ in source]
    encoder = group("Encoder: reads once", column(row(*source), row(*vectors), gap=56))
    so_far = [box(word, "data", width=WIDE) for word in ("begin", "the", "cat")]
    guesses = [box(word, "output", width=WIDE) for word in ("the", "cat", "sleeps")]
    decoder = group(
        "Decoder: writes, a word at a time",
        column(row(*guesses), row(*so_far), gap=56),
    )
    return draw(
        row(encoder, decoder, gap=90),
        *(
            arrow(word, vector, bend="straight", start_side="bottom")
            for word in source
            for vector in vectors
        ),
        *(
            arrow(word, guess, bend="straight", start_side="top")
            for place, guess in enumerate(guesses)
            for word in so_far[: place + 1]
        ),
        arrow(encoder, decoder, "attended to"),
        alt="Left, the encoder turns the three French words le, chat, dort into three vectors, "
        "each from all three words. Right, the decoder attends to them and continues, each "
        "guess from what is already written: from begin it guesses the, from begin the it "
        "guesses cat, and from begin the cat it guesses sleeps.",
        caption="Read once, write word by word: each guess becomes part of what is written so far.",
    )


def training_loop() -> Diagram:
    """Guess, compare, nudge, and round again."""
    words = box("sat on the", "data", note="from the text")
    model = box("model", "plain", note="its weights", bold=True)
    guess = box("mat 0.2, …", "weight", note="probabilities")
    loss = box("−log 0.2 = 1.61", "score", note="the loss")
    right = box("mat", "data", note="what came next")
    return draw(
        row(words, model, guess, column(loss, right, gap=40), gap=64),
        arrow(words, model),
        arrow(model, guess, "guess"),
        arrow(guess, loss),
        arrow(right, loss, "compare"),
        arrow(loss, model, "nudge each weight", start_side="top", end_side="top", bend="elbow"),
        alt="From the words sat on the, the model guesses a probability for every next word. The "
        "loss is minus the logarithm of the probability of mat, the correct word: minus ln 0.2 "
        "is 1.61. The loss tells every weight of the model which way to move.",
        caption="Training: guess, compare, nudge, and again with the next example.",
    )


def product() -> Diagram:
    """Draw a product of two matrices: a row of the first meets a column of the second."""
    a = torch.tensor([[1, 2], [3, 1], [2, 1]])
    b = torch.tensor([[2, 1, 1, 3], [1, 3, 2, 2]])
    first = matrix(a, "query", "A", shape="(3, 2)", digits=0, lit=[(0, 0), (0, 1)])
    second = matrix(b, "key", "B", shape="(2, 4)", digits=0, lit=[(0, 1), (1, 1)])
    result = matrix(a @ b, "score", "A B", shape="(3, 4)", digits=0, lit=[(0, 1)])
    return draw(
        row(first, text("times"), second, text("="), result, gap=26),
        alt="A has three rows of two numbers, B has two rows of four. Their product has three rows "
        "of four. Marked are the first row of A, 1 and 2, the second column of B, 1 and 3, and "
        "the entry that they make: 1 times 1 plus 2 times 3, which is 7.",
        caption="Inner sizes meet and vanish, outer sizes remain: (3, 2) times (2, 4) is (3, 4).",
    )
