"""Texts of random tokens, counted as bigrams: token 0 is ⟨begin⟩, the last one ⟨end⟩."""

from collections.abc import Callable

import torch
from torch import Tensor


def bigram_counts(
    numbers: Callable[..., Tensor], words: int, sentences: int, length: int
) -> Tensor:
    """Count the bigrams of sentences of random words, with ⟨begin⟩ and ⟨end⟩ around each.

    Args:
        numbers: draws normal numbers, as :func:`normal_numbers` returns it.
        words: how many words there are, without ⟨begin⟩ and ⟨end⟩.
        sentences: how many sentences.
        length: how many words each has.
    """
    # Rounded down from squares, so that some words are frequent and others rare.
    drawn = (numbers(sentences, length).square() * words / 3).long().clamp(max=words - 1) + 1
    counts = torch.zeros(words + 2, words + 2)
    for sentence in drawn.tolist():
        for before, after in zip([0, *sentence], [*sentence, words + 1], strict=True):
            counts[before, after] += 1
    return counts
