"""Smoothing: turn counts into probabilities, and give some to unseen words."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from transformer_lite.before.counts import Context, NGramCounts
from transformer_lite.checks import check_number


class Smoothing(ABC):
    """A rule that turns the counts after a context into probabilities.

    Each row sums to 1 over the vocabulary, with ⟨end⟩ but without ⟨begin⟩.

    Attributes:
        order: the order of n-gram that it requires; None allows all.
    """

    order: int | None = None

    @abstractmethod
    def probability(self, counts: NGramCounts, word: str, context: Context) -> float:
        """Return the probability of a word of the vocabulary after a context."""

    def __repr__(self) -> str:
        settings = (f"{k}={v}" for k, v in vars(self).items() if k != "order")
        return f"{type(self).__name__}({', '.join(settings)})"


class MaximumLikelihood(Smoothing):
    """The relative frequency, which makes the counted text most probable: c(h, w) / c(h).

    Unseen words get 0. After an unseen context, all words get 0.

    >>> counts = NGramCounts([["a", "dog"], ["a", "man"]], order=2)
    >>> MaximumLikelihood().probability(counts, "dog", ("a",))
    0.5
    """

    def probability(self, counts: NGramCounts, word: str, context: Context) -> float:
        """Return the relative frequency; 0 if the context was never seen."""
        return _share(counts, word, context)


class AddK(Smoothing):
    r"""Add k to the count of every word after every context.

    .. math:: p(w \mid h) = \frac{c(h, w) + k}{c(h) + kV}

    V is the size of the vocabulary: all words and ⟨end⟩, but not ⟨begin⟩, which cannot come next.
        With k = 1 it is Laplace's rule, "add one".

    Args:
        k: the number to add, greater than 0.

    Raises:
        TypeError: `k` is not a number.
        ValueError: `k` is 0, negative or infinite.

    >>> AddK(1).probability(NGramCounts([["a"]], order=2), "a", ("a",))
    0.3333333333333333
    """

    def __init__(self, k: float) -> None:
        check_number("k", k)
        if k == 0:
            raise ValueError(f"k must be greater than 0, got {k}; without smoothing give None")
        self.k = k

    def probability(self, counts: NGramCounts, word: str, context: Context) -> float:
        """Return the relative frequency, with k more for each word."""
        count = counts.rows.get(context, _NOTHING)[word] + self.k
        return count / (counts.totals.get(context, 0) + self.k * len(counts.vocabulary))


class Interpolation(Smoothing):
    r"""Mix the relative frequencies after the whole context with those after its shorter suffixes.

    .. math:: p(w \mid h) = \sum_n \lambda_n \, \frac{c(h_n, w)}{c(h_n)}

    A shorter context was seen more often but predicts less. If a context was never seen, or is
    short because ⟨begin⟩ is near, its weight goes to the shorter ones, in proportion.

    Args:
        weights: one weight for each order, beginning with that of single words. They sum to 1, none
            is negative, and the first is not 0.

    Raises:
        TypeError: a weight is not a number.
        ValueError: they do not sum to 1, one is negative, or the first is 0.

    Reference: Jelinek and Mercer 1980.

    >>> counts = NGramCounts([["a", "dog"], ["a", "man"]], order=2)
    >>> Interpolation((0.5, 0.5)).probability(counts, "dog", ("a",))
    0.3333333333333333
    """

    def __init__(self, weights: Sequence[float]) -> None:
        if not isinstance(weights, list | tuple):
            raise TypeError(
                f"weights must be a list, got {type(weights).__name__}: {weights!r:.60}"
            )
        for i, weight in enumerate(weights):
            check_number(f"weights[{i}]", weight)
        if not math.isclose(sum(weights), 1.0, abs_tol=1e-9):
            raise ValueError(f"weights must sum to 1, got {list(weights)}")
        if weights[0] == 0:
            raise ValueError(
                f"weights[0] must be greater than 0, for unseen contexts, got {list(weights)}"
            )
        self.weights = tuple(weights)
        self.order = len(weights)

    def probability(self, counts: NGramCounts, word: str, context: Context) -> float:
        """Return the weighted mean of the frequencies after all suffixes of the context."""
        ends = [context[len(context) - n :] for n in range(len(context) + 1)]
        known = [(w, h) for w, h in zip(self.weights, ends, strict=False) if h in counts.totals]
        mixed = sum(weight * _share(counts, word, end) for weight, end in known)
        return mixed / sum(weight for weight, _ in known)


class KneserNey(Smoothing):
    r"""Subtract a discount from every count, and distribute it by the number of contexts of a word.

    .. math:: p(w \mid h) = \frac{\max(c(h, w) - d, 0)}{c(h)}
        + d \, \frac{N_{1+}(h\,\cdot)}{c(h)} \, p(w \mid h')

    h' is the context without its first word, N₁₊(h ·) the number of different words after h. The
    shorter contexts count different preceding words instead of occurrences: *Francisco* is frequent
    and follows one word only, so it is a bad guess elsewhere.

    Args:
        discount: d, between 0 and 1, both excluded.

    Raises:
        TypeError: `discount` is not a number.
        ValueError: it is out of range.

    Reference: Kneser and Ney 1995; interpolated as in Chen and Goodman 1999, with ⟨begin⟩ as in
    Heafield et al. 2013. One discount for all counts.

    >>> counts = NGramCounts([["a", "dog"], ["a", "man"]], order=2)
    >>> KneserNey(0.75).probability(counts, "dog", ("a",))
    0.275
    """

    def __init__(self, discount: float) -> None:
        check_number("discount", discount, high=1.0)
        if discount == 0:
            raise ValueError(f"discount must be greater than 0, got {discount}")
        self.discount = discount

    def probability(self, counts: NGramCounts, word: str, context: Context) -> float:
        """Return the discounted frequency of the word plus its part of the discounts."""
        row = counts.rows.get(context, _NOTHING)
        return self._mixed(counts, word, context, row, counts.totals.get(context, 0))

    def _mixed(
        self, counts: NGramCounts, word: str, context: Context, row: Counter[str], total: int
    ) -> float:
        if not context:
            return row[word] / total
        shorter = context[1:]
        below = counts.continuations.get(shorter, _NOTHING)
        lower = self._mixed(
            counts, word, shorter, below, counts.continuation_totals.get(shorter, 0)
        )
        if not total:
            return lower
        return (max(row[word] - self.discount, 0) + self.discount * len(row) * lower) / total


_NOTHING: Counter[str] = Counter()


def _share(counts: NGramCounts, word: str, context: Context) -> float:
    total = counts.totals.get(context, 0)
    return counts.rows[context][word] / total if total else 0.0
