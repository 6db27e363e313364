"""Kneser–Ney for bigrams: a discount, and contexts counted instead of occurrences."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.language_models.exercises._shared import bigram_counts

_normal = normal_numbers("language_models.kneser_ney")


def _parts(counts: Tensor, discount: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return the discounted shares, the mass taken from each row, and its distribution."""
    total = counts.sum(dim=1, keepdim=True)
    seen = (counts > 0).to(counts.dtype)
    left = (counts - discount).clamp(min=0) / total
    return left, discount * seen.sum(dim=1, keepdim=True) / total, seen.sum(dim=0) / seen.sum()


def _reference(counts: Tensor, discount: float) -> Tensor:
    left, taken, lower = _parts(counts, discount)
    return left + taken * lower


def _cases() -> tuple[Case, ...]:
    # Rows: san, the, a. Columns: francisco, cat, dog.
    city = torch.tensor([[5.0, 0, 0], [0, 3, 1], [0, 2, 1]])

    def drawn(words: int, sentences: int, length: int) -> Tensor:
        counts = bigram_counts(_normal, words, sentences, length)[:-1, 1:]
        return counts[counts.sum(dim=1) > 0]

    return (
        Case("san francisco, the cat, a dog; d=0.75", {"counts": city, "discount": 0.75}),
        Case("the same, d=0.5", {"counts": city, "discount": 0.5}),
        Case("6 words, d=0.6", {"counts": drawn(6, 9, 5), "discount": 0.6}),
        Case("float64, 9 words, d=0.9", {"counts": drawn(9, 12, 4).double(), "discount": 0.9}),
        Case("one context", {"counts": torch.tensor([[4.0, 1, 0, 2]]), "discount": 0.75}),
        Case("one word", {"counts": torch.tensor([[4.0], [1], [3]]), "discount": 0.75}),
    )


def _by_occurrences(counts: Tensor, discount: float) -> Tensor:
    left, taken, _ = _parts(counts, discount)
    return left + taken * counts.sum(dim=0) / counts.sum()


def _logarithms_added(counts: Tensor, discount: float) -> Tensor:
    left, taken, lower = _parts(counts, discount)
    return (left.log() + (taken * lower).log()).exp()


def _below_zero(counts: Tensor, discount: float) -> Tensor:
    _, taken, lower = _parts(counts, discount)
    return (counts - discount) / counts.sum(dim=1, keepdim=True) + taken * lower


def _taken_once(counts: Tensor, discount: float) -> Tensor:
    left, _, lower = _parts(counts, discount)
    return left + discount / counts.sum(dim=1, keepdim=True) * lower


def _only_the_unseen(counts: Tensor, discount: float) -> Tensor:
    left, taken, lower = _parts(counts, discount)
    return torch.where(counts > 0, left, taken * lower)


def _even(counts: Tensor, discount: float) -> Tensor:
    left, taken, lower = _parts(counts, discount)
    return left + taken / len(lower)


_MISTAKES = mistakes(
    _by_occurrences,
    "The discounts are distributed by occurrences: francisco gets much, though it follows only "
    "one word. Count the contexts of each word, the entries above 0 of its column.",
    _logarithms_added,
    "The two parts are multiplied, because their logarithms are added. Add the probabilities "
    "themselves.",
    _below_zero,
    "The discount is subtracted from counts of 0 as well, so these become negative. Clamp at 0.",
    _taken_once,
    "Each count above 0 lost the discount, but each row gives only one discount back: the rows "
    "sum to less than 1. Multiply by the number of counts above 0 in the row.",
    _only_the_unseen,
    "Only unseen words get a part of what was subtracted. Distribute it over all words: without "
    "the parts of the seen words a row sums to less than 1.",
    _even,
    "All words get the same part of what was subtracted. Distribute it in proportion to the number "
    "of contexts of each word.",
)


def _in_loops(counts: Tensor, discount: float) -> Tensor:
    different = [(i, j) for i, row in enumerate(counts.tolist()) for j, n in enumerate(row) if n]
    table = torch.zeros_like(counts)
    for i, row in enumerate(counts):
        kinds = sum(1 for before, _ in different if before == i)
        for j, count in enumerate(row):
            lower = sum(1 for _, after in different if after == j) / len(different)
            own = max(float(count) - discount, 0.0)
            table[i, j] = (own + discount * kinds * lower) / row.sum()
    return table


def _by_what_is_missing(counts: Tensor, discount: float) -> Tensor:
    left = torch.relu(counts - discount) / counts.sum(dim=1, keepdim=True)
    contexts = counts.bool().sum(dim=0)
    return left + (1 - left.sum(dim=1, keepdim=True)) * contexts / contexts.sum()


def _draw(draw: Draw) -> Inputs:
    shape = draw.size(1, 6), draw.size(1, 6)
    counts = torch.tensor(
        [[draw.choice(0, 0, 1, 1, 2, 5) for _ in range(shape[1])] for _ in range(shape[0])]
    ).to(draw.dtype)
    counts[:, draw.size(0, shape[1] - 1)] += 1  # every context was seen
    return counts, draw.choice(0.75, 0.5, 0.1, 0.95)


kneser_ney = Exercise(
    name="language_models.kneser_ney",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_in_loops, _by_what_is_missing),
    draw=_draw,
    hint_texts=(
        "Take d from every count above 0. How much of each row is then missing from 1?",
        "lower[j] is the number of counts above 0 in column j, divided by the number of all counts "
        "above 0. It gets the missing part of each row.",
        "left = (counts - discount).clamp(min=0) / counts.sum(dim=1, keepdim=True); add (1 - "
        "left.sum(dim=1, keepdim=True)) * lower.",
    ),
    starter='''\
def kneser_ney(counts, discount):
    """Kneser-Ney of bigrams: (C, V) -> (C, V), a row for each of C contexts."""
    ...  # every context was seen; 0 < discount < 1; counts are 0, or 1 and more
''',
)
