"""n-gram models: the next word depends only on the last few words, and training is counting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Self

import torch

from transformer_lite.before.counts import END, NGramCounts, check_sentence, each_sentence
from transformer_lite.before.smoothing import MaximumLikelihood, Smoothing
from transformer_lite.checks import check_size
from transformer_lite.text.tokenizer import check_text


class NGramModel:
    r"""A language model that counts how often words follow each other.

    .. math:: p(x_1, \dots, x_T, \text{end}) =
        \prod_{t=1}^{T+1} p(x_t \mid x_{t-L}, \dots, x_{t-1}), \qquad L = \text{order} - 1

    A sentence begins with ⟨begin⟩, which is a context but never scored. It ends with ⟨end⟩, which
    counts as a word, so the probabilities of all sentences of all lengths sum to 1. The order is
    the n of n-gram; books that count the words *looked back at* call the bag of words L = 0,
    bigrams L = 1 and trigrams L = 2.

    A word outside the vocabulary has probability 0, whatever the smoothing. To give unknown words a
    probability, replace rare words by a special token before counting.

    Args:
        counts: the counts of a text.
        smoothing: turns counts into probabilities; None uses relative frequencies.

    Raises:
        ValueError: the smoothing is made for another order.

    Reference: Shannon 1948; Jurafsky and Martin, *Speech and Language Processing*, chapter 3.

    >>> model = NGramModel.count([["a", "dog", "sleeps"], ["a", "man", "sleeps"]], order=2)
    >>> model.probability("dog", ["a"]), model.probability("sleeps", ["a", "dog"])
    (0.5, 1.0)
    """

    def __init__(self, counts: NGramCounts, smoothing: Smoothing | None = None) -> None:
        self.counts = counts
        self.smoothing = smoothing or MaximumLikelihood()
        if self.smoothing.order not in (None, counts.order):
            raise ValueError(
                f"smoothing must be made for order {counts.order}, got {self.smoothing}"
            )

    @classmethod
    def count(
        cls,
        sentences: Iterable[Sequence[str]],
        order: int,
        smoothing: Smoothing | None = None,
    ) -> Self:
        """Count the n-grams of some sentences.

        Args:
            sentences: sentences as lists or tuples of words, read once.
            order: the n of n-gram: 1 a bag of words, 2 bigrams, 3 trigrams. It may be longer than
                any sentence; a context is then the whole sentence so far.
            smoothing: as for the class.

        Raises:
            TypeError, ValueError: as in :class:`NGramCounts` and for the class.
        """
        return cls(NGramCounts(sentences, order), smoothing)

    def __repr__(self) -> str:
        counts = self.counts
        return f"NGramModel(order={counts.order}, V={len(counts.vocabulary)}, {self.smoothing})"

    @property
    def order(self) -> int:
        """Return the n of "n-gram", one more than the number of words in a context."""
        return self.counts.order

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """All words that can come next, in alphabetical order, with ⟨end⟩ last."""
        return self.counts.vocabulary

    def probability(self, word: str, context: Sequence[str] = ()) -> float:
        """Return p(word | context).

        Args:
            word: a word or ⟨end⟩.
            context: the sentence so far, from its first word on; the last order − 1 words count.

        Raises:
            TypeError: an argument is not what it should be.
            ValueError: the context holds ⟨begin⟩ or ⟨end⟩.
        """
        check_text("word", word)
        check_sentence("context", context)
        return self._probability(word, context)

    def distribution(self, context: Sequence[str] = ()) -> dict[str, float]:
        """Return the probabilities of all words of the vocabulary; they sum to 1.

        Args:
            context: as in :meth:`probability`.

        Raises:
            TypeError, ValueError: as in :meth:`probability`, and where the context was never seen
                and the counts are not smoothed.
        """
        check_sentence("context", context)
        seen, share = self.counts.context(context), self.smoothing.probability
        found = {word: share(self.counts, word, seen) for word in self.vocabulary}
        if not any(found.values()):
            raise ValueError(
                "context must have been seen, or the counts be smoothed, "
                f"got {list(self.counts.context(context))}"
            )
        return found

    def log_probability(self, sentence: Sequence[str]) -> float:
        """Return the natural logarithm of a sentence's probability, including its ⟨end⟩.

        It is a sum, because the product is soon too small for a float. It is −∞ for probability 0.

        Args:
            sentence: its words, without ⟨begin⟩ and ⟨end⟩.

        Raises:
            TypeError: `sentence` is not a list of strings.
            ValueError: it holds ⟨begin⟩ or ⟨end⟩.
        """
        check_sentence("sentence", sentence)
        total = 0.0
        for place, word in enumerate([*sentence, END]):
            p = self._probability(word, sentence[:place])
            if p == 0:
                return -math.inf
            total += math.log(p)
        return total

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """Return e to the mean of −ln p over all words, including each ⟨end⟩.

        Args:
            sentences: held-out sentences; the words of all count alike.

        Returns:
            At least 1; ∞ where a word has probability 0.

        Raises:
            TypeError: a sentence is not a list of strings.
            ValueError: there is no sentence, or one holds ⟨begin⟩ or ⟨end⟩.
        """
        total, words = 0.0, 0
        for i, sentence in enumerate(each_sentence(sentences)):
            check_sentence(f"sentences[{i}]", sentence)
            total += self.log_probability(sentence)
            words += len(sentence) + 1
        if not words:
            raise ValueError("sentences must hold at least one sentence, got none")
        return math.inf if total == -math.inf else math.exp(-total / words)

    def sample(self, generator: torch.Generator, longest: int = 100) -> list[str]:
        """Draw a sentence word by word, until ⟨end⟩ comes.

        Args:
            generator: the random number generator.
            longest: the maximum number of words.

        Returns:
            Its words, without ⟨end⟩.

        Raises:
            TypeError: `longest` is not an int.
            ValueError: `longest` is below 1.
        """
        check_size("longest", longest)
        sentence: list[str] = []
        while len(sentence) < longest:
            p = torch.tensor([*self.distribution(sentence).values()], dtype=torch.float64)
            word = self.vocabulary[int(torch.multinomial(p, 1, generator=generator))]
            if word == END:
                break
            sentence.append(word)
        return sentence

    def _probability(self, word: str, before: Sequence[str]) -> float:
        if word not in self.counts:
            return 0.0
        return self.smoothing.probability(self.counts, word, self.counts.context(before))
