"""Count which word follows which, and how often: the smallest language model there is."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

WORD = re.compile(r"[\w']+|[.?!]")


def words_of(text: str) -> list[str]:
    """Split a text into words, all in small letters; what ends a sentence is a word, too.

    >>> words_of("The cat sat. Did it?")
    ['the', 'cat', 'sat', '.', 'did', 'it', '?']
    """
    return WORD.findall(text.lower())


def next_words(
    words: Sequence[str], beginning: Sequence[str], context: int
) -> tuple[int, dict[str, int]]:
    """Count what comes after the last words of a prefix, the most frequent word first.

    If these words never occur together in the text, fewer of them are used; with none left, every
    word of the text counts.

    Args:
        words: the text.
        beginning: the words so far.
        context: how many of the last words to use, if they occur together in the text.

    Returns:
        How many words were used, and how often each word follows them.

    >>> next_words(["the", "cat", "and", "the", "dog"], ["see", "the"], context=2)
    (1, {'cat': 1, 'dog': 1})
    """
    words, beginning = list(words), list(beginning)
    for used in range(min(context, len(beginning)), 0, -1):
        last = beginning[-used:]
        starts = (i for i in range(len(words) - used) if words[i : i + used] == last)
        if counts := Counter(words[i + used] for i in starts):
            return used, dict(counts.most_common())
    return 0, dict(Counter(words).most_common())


def shares_of(counts: Mapping[str, int], temperature: float = 1.0) -> Tensor:
    """Turn counts into probabilities: the softmax of their logarithms, divided by the temperature.

    At temperature 1 these are the counts divided by their sum. Below it frequent words gain, above
    it rare ones.

    >>> shares_of({"cat": 3, "dog": 1})
    tensor([0.7500, 0.2500], dtype=torch.float64)
    """
    numbers = torch.tensor([*counts.values()], dtype=torch.float64)
    return (numbers.log() / temperature).softmax(dim=0)
