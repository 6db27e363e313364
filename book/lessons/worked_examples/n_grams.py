"""The factorization of an n-gram model, summed over all texts of one length."""

from itertools import product
from math import prod

from lessons.worked_examples.registry import computes
from transformer_lite.before import END, AddK, NGramModel


@computes("ngram-factorization-l2")
def sum_over_all_sequences(L: int, K: int, N: int) -> dict[str, float]:  # noqa: N803
    """Add up what a model with L words of context gives to each text of N out of K words.

    The document's texts have one length and no end, so each row leaves ⟨end⟩ out.
    """
    words = [str(word) for word in range(K)]
    text = [words[place.bit_count() % K] for place in range(20)]  # uneven, and it repeats nothing
    model = NGramModel.count([text], order=L + 1, smoothing=AddK(1))

    def chance(sequence: tuple[str, ...]) -> float:
        rows = [model.distribution(sequence[:place]) for place in range(N)]
        return prod(row[w] / (1 - row[END]) for row, w in zip(rows, sequence, strict=True))

    return {"sum over all sequences": sum(map(chance, product(words, repeat=N)))}
