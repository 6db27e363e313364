"""Language models: who reads which words, and from counts to probabilities."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    Matrix,
    box,
    column,
    draw,
    matrix,
    permissions,
    row,
)
from transformer_lite.before import AddK, NGramModel

SENTENCES = [
    text.split()
    for text in (
        "the dog bites the man",
        "the man sees the dog",
        "a dog sleeps",
        "the man sleeps",
        "a man reads",
    )
]
READ = ["⟨b⟩", "the", "dog", "bites", "the", "man"]
SAID = ["the", "dog", "bites", "the", "man", "⟨e⟩"]


def who_reads_what() -> Diagram:
    """For each word of a sentence the words that it is predicted from, in three models."""
    tables = [
        _readers("bigrams, L = 1", 1),
        _readers("trigrams, L = 2", 2),
        _readers("a Transformer", len(READ)),
    ]
    return draw(
        column(row(*tables[:2], gap=30), tables[2], gap=24),
        alt="Three tables for the sentence the dog bites the man, with a row for each word to "
        "predict and a column for each word that can be read. With L = 1 one cell of each row is "
        "open, the word just before. With L = 2 two are open, and in the first row one. For a "
        "Transformer all words before are open, a staircase.",
        caption="Each row predicts one word, from the open columns. ⟨b⟩ begins the sentence and is "
        "only read; ⟨e⟩ ends it and is only predicted. A bag of words, L = 0, opens nothing.",
    )


def _readers(name: str, length: int) -> Matrix:
    places = torch.arange(len(READ))
    behind = places[:, None] - places[None, :]
    open_ = (behind >= 0) & (behind < length)
    return permissions(open_, name, "key", rows=SAID, columns=READ)


def counts_to_chances() -> Diagram:
    """Draw one row of counts, its probabilities, and those with one added to each count."""
    plain = NGramModel.count(SENTENCES, 2)
    smooth = NGramModel.count(SENTENCES, 2, AddK(1))
    words = list(plain.vocabulary)
    names = [*words[:-1], "⟨e⟩"]
    counts = plain.counts.rows["the",]
    seen = matrix([[counts[word] for word in words]], "key", "after “the”", columns=names)
    shares, smoothed = (
        matrix([[model.distribution(["the"])[word] for word in words]], "weight", columns=names)
        for model in (plain, smooth)
    )
    total = sum(counts.values())
    return draw(
        column(
            seen,
            row(box("divide", "norm", note=f"÷ {total}"), shares, gap=40),
            row(box("add one", "norm", note=f"+ 1, ÷ {total + len(words)}"), smoothed, gap=40),
            gap=34,
            align="end",
        ),
        alt=f"After the word the come dog {counts['dog']} times and man {counts['man']} times, "
        f"all other words never. Divided by {total}, the two have probabilities of "
        f"{counts['dog'] / total:.2f} and {counts['man'] / total:.2f}, and the others 0. With one "
        f"more for each of {len(words)} words, the end among them, and divided by "
        f"{total + len(words)}, no probability is 0.",
        caption="A row of counts, its probabilities, and its probabilities after one was added to "
        "each count. Both rows of probabilities sum to 1.",
    )
