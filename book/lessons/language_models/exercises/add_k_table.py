"""Add-k smoothing of a whole table of counts: who is part of V, and who is not."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.language_models.exercises._shared import bigram_counts

_normal = normal_numbers("language_models.add_k_table")


def _placed(inner: Tensor) -> Tensor:
    """Put a row of 0 below, for what follows ⟨end⟩, and a column of 0 in front, for ⟨begin⟩."""
    return torch.nn.functional.pad(inner, (1, 0, 0, 1))


def _reference(counts: Tensor, k: float) -> Tensor:
    more = counts[:-1, 1:] + k
    return _placed(more / more.sum(dim=1, keepdim=True))


def _cases() -> tuple[Case, ...]:
    # ⟨begin⟩, dog, man, ⟨end⟩ in “dog man”, “dog”, “dog”
    small = torch.tensor([[0.0, 3, 0, 0], [0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0]])
    unseen = small.clone()
    unseen[2] = 0
    return (
        Case("dog man, dog and dog, k=1", {"counts": small, "k": 1.0}),
        Case("the same, k=0.5", {"counts": small, "k": 0.5}),
        Case("nothing seen after man", {"counts": unseen, "k": 0.25}),
        Case("5 words, k=0.1", {"counts": bigram_counts(_normal, 5, 8, 4), "k": 0.1}),
        Case(
            "float64, 7 words, k=2", {"counts": bigram_counts(_normal, 7, 9, 6).double(), "k": 2.0}
        ),
        Case(
            "one word, float64, k=0.01",
            {"counts": bigram_counts(_normal, 1, 4, 3).double(), "k": 0.01},
        ),
    )


def _with_total(total: Callable[[Tensor, float], Tensor]) -> Callable[[Tensor, float], Tensor]:
    """Add k above the line, and divide by another total."""
    return lambda counts, k: _placed((counts[:-1, 1:] + k) / total(counts[:-1, 1:], k))


def _all_columns(counts: Tensor, k: float) -> Tensor:
    more = counts + k
    more[-1] = 0
    return more / more.sum(dim=1, keepdim=True).clamp(min=1e-30)


def _all_rows(counts: Tensor, k: float) -> Tensor:
    more = counts + k
    more[:, 0] = 0
    return more / more.sum(dim=1, keepdim=True)


_MISTAKES = mistakes(
    _with_total(lambda c, k: c.sum(1, keepdim=True) + k * (c.shape[1] + 1)),
    "V is too large by 1: ⟨begin⟩ is counted among what can come next. It "
    "never comes next, so the rows sum to less than 1.",
    _with_total(lambda c, k: c.sum(1, keepdim=True) + k * (c.shape[1] - 1)),
    "V is too small by 1: ⟨end⟩ can come next, like a word, and gets its k as well. The rows "
    "sum to more than 1.",
    _all_columns,
    "⟨begin⟩ gets a probability in every row. It is a context and never comes next: its column is "
    "0, and V does not count it.",
    _all_rows,
    "The row of ⟨end⟩ has probabilities. Nothing comes after it: leave its row 0.",
    _with_total(lambda c, k: c.sum(1, keepdim=True) + k),
    "Your denominator adds k once. Each of the V words gets k, so the denominator needs k·V.",
    _with_total(lambda c, k: (c + k).sum(0, keepdim=True)),
    "The columns sum to 1. For each context the probabilities of the next word sum to 1: divide by "
    "the sums of the rows.",
    lambda counts, k: _reference(counts, 1.0),
    "You added 1, but k may be another number.",
)


def _in_loops(counts: Tensor, k: float) -> Tensor:
    table = torch.zeros_like(counts)
    size = len(counts)
    for before in range(size - 1):
        total = counts[before].sum() + k * (size - 1)
        for after in range(1, size):
            table[before, after] = (counts[before, after] + k) / total
    return table


def _by_a_mask(counts: Tensor, k: float) -> Tensor:
    places = torch.arange(len(counts))
    allowed = (places != 0)[None, :] & (places != len(counts) - 1)[:, None]
    more = torch.where(allowed, counts + k, 0)
    sums = more.sum(dim=1, keepdim=True)
    return torch.where(sums > 0, more / sums, 0)


def _counted(draw: Draw, size: int) -> Tensor:
    """Return how often each of so many tokens came after each; 0 begins, the last one ends."""
    counts = torch.zeros(size, size, dtype=draw.dtype)
    for _ in range(draw.size(1, 8)):
        words = [draw.size(1, size - 2) for _ in range(draw.size(0, 6))] if size > 2 else []
        for before, after in zip([0, *words], [*words, size - 1], strict=True):
            counts[before, after] += 1
    return counts


def _draw(draw: Draw) -> Inputs:
    return _counted(draw, draw.size(2, 8)), draw.choice(1.0, 0.5, 0.01, 3.0)


add_k_table = Exercise(
    name="language_models.add_k_table",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_in_loops, _by_a_mask),
    draw=_draw,
    hint_texts=(
        "Which tokens can come next after a word? Is ⟨begin⟩ one of them, and ⟨end⟩?",
        "Leave the last row and the first column out, add k to what is left, and divide each row "
        "by its sum.",
        "table = torch.zeros_like(counts); more = counts[:-1, 1:] + k; table[:-1, 1:] = more / "
        "more.sum(dim=1, keepdim=True).",
    ),
    starter='''\
def add_k_table(counts, k):
    """Next-token probabilities (N, N), a row for each context, from counts."""
    ...  # token 0 is begin, token N - 1 is end
''',
)
