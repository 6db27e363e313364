"""BLEU, written out: the share of a translation's n-grams that are right, for n = 1 to 4."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from transformer_lite.text.tokenizer import check_words


class BleuSteps(NamedTuple):
    """A BLEU score with its intermediate values.

    Attributes:
        right: how many n-grams of the translations occur in their references, for n = 1 to 4.
        total: how many n-grams the translations have.
        precisions: right over total, in percent.
        brevity: 1, or less for translations that are shorter than their references.
        score: the geometric mean of the precisions times brevity, 0 to 100.
    """

    right: tuple[int, ...]
    total: tuple[int, ...]
    precisions: tuple[float, ...]
    brevity: float
    score: float


def bleu_by_hand(translations: Sequence[str], references: Sequence[str]) -> BleuSteps:
    """Compute BLEU over a corpus of texts whose words are separated by spaces.

    .. math:: \\text{BLEU} = 100\\, b\\,\\Big(\\prod_{n=1}^{4} p_n\\Big)^{1/4},
        \\qquad b = \\min(1, e^{1 - r/c})

    c and r are the numbers of words of all translations and of all references. An n-gram is right
    at most as often as its reference has it. Where no n-gram is right, half a one is counted, then
    a quarter for the next n, and so on: a mean of this kind would be 0 otherwise. sacrebleu calls
    that smoothing ``exp`` and gives the same score with ``tokenize="none"``.

    Args:
        translations: the output of a model.
        references: one correct translation for each.

    Returns:
        The score and its parts.

    Raises:
        TypeError: a text is not a string, or an argument is one string.
        ValueError: there are no texts, or not equally many.

    Reference: Papineni et al. 2002; Post 2018.

    >>> bleu_by_hand(["the cat sat on the mat"], ["the cat sat on a mat"]).right
    (5, 3, 2, 1)
    """
    _check(translations, references)
    words = [text.split() for text in translations]
    truths = [text.split() for text in references]
    right, total = [], []
    for n in range(1, 5):
        said = [ngrams(text, n) for text in words]
        true = [ngrams(text, n) for text in truths]
        right.append(sum((s & t).total() for s, t in zip(said, true, strict=True)))
        total.append(sum(s.total() for s in said))
    precisions = _precisions(right, total)
    c, r = sum(map(len, words)), sum(map(len, truths))
    brevity = 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0
    score = 100.0 * brevity * _mean([p / 100 for p in precisions]) if c else 0.0
    return BleuSteps(tuple(right), tuple(total), tuple(precisions), brevity, score)


def ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams.

    >>> ngrams(["on", "and", "on", "and"], 2)[("on", "and")]
    2
    """
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _precisions(right: Sequence[int], total: Sequence[int]) -> list[float]:
    """Return right over total in percent, with a small number instead of a count of 0."""
    precisions, little = [0.0] * len(right), 1.0
    if any(right):
        for i, (hits, all_of_them) in enumerate(zip(right, total, strict=True)):
            if all_of_them == 0:
                break
            little = little if hits else little / 2
            precisions[i] = 100 * (hits or little) / all_of_them
    return precisions


def _mean(shares: Sequence[float]) -> float:
    """Return the geometric mean, which is 0 if one share is."""
    if min(shares) == 0:
        return 0.0
    return math.exp(sum(map(math.log, shares)) / len(shares))


def _check(translations: Sequence[str], references: Sequence[str]) -> None:
    for name, texts in (("translations", translations), ("references", references)):
        check_words(name, texts)
    if len(translations) != len(references) or not references:
        raise ValueError(
            "translations and references must be equally many, at least one, "
            f"got {len(translations)} and {len(references)}"
        )
