"""n-gram counts: how often each word followed each context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from transformer_lite.checks import check_size
from transformer_lite.text.tokenizer import check_words

#: Begins every sentence. It is part of a context but never predicted.
BEGIN = "⟨begin⟩"
#: Ends every sentence. It is predicted like a word, and nothing follows it.
END = "⟨end⟩"

Context = tuple[str, ...]


class NGramCounts:
    """The counts of all n-grams up to one order.

    A sentence is read word by word, including its ⟨end⟩. Each word is counted after the order − 1
    words before it, and after each shorter suffix of that context. A sentence begins with ⟨begin⟩,
    so the first contexts are shorter.

    Args:
        sentences: sentences as lists or tuples of words, read once.
        order: the n of n-gram; a context has n − 1 words.

    Attributes:
        order: as given.
        vocabulary: the words that can be predicted, in alphabetical order, with ⟨end⟩ last.
        rows: for each context that was seen, how often each word followed it.
        totals: for each context that was seen, how often it was.

    Raises:
        TypeError: `order` is not an int, or a sentence is not a list of strings.
        ValueError: `order` is below 1, there is no sentence, or a word is ⟨begin⟩ or ⟨end⟩.

    >>> counts = NGramCounts([["a", "dog", "sleeps"], ["a", "man", "sleeps"]], order=2)
    >>> counts.rows["a",], counts.totals["sleeps",]
    (Counter({'dog': 1, 'man': 1}), 2)
    """

    def __init__(self, sentences: Iterable[Sequence[str]], order: int) -> None:
        check_size("order", order)
        self.order = order
        self.rows: dict[Context, Counter[str]] = {}
        for i, sentence in enumerate(each_sentence(sentences)):
            check_sentence(f"sentences[{i}]", sentence)
            self._count(sentence)
        if not self.rows:
            raise ValueError("sentences must hold at least one sentence, got none")
        self.totals = {context: row.total() for context, row in self.rows.items()}
        self.vocabulary = (*sorted(self.rows[()].keys() - {END}), END)
        self._words = frozenset(self.vocabulary)

    def _count(self, sentence: Sequence[str]) -> None:
        text = [BEGIN, *sentence, END]
        for place in range(1, len(text)):
            for start in range(max(0, place - self.order + 1), place + 1):
                context = tuple(text[start:place])
                if context not in self.rows:
                    self.rows[context] = Counter()
                self.rows[context][text[place]] += 1

    def __contains__(self, word: str) -> bool:
        """Return whether a word can be predicted."""
        return word in self._words

    def context(self, before: Sequence[str]) -> Context:
        """Return the last order − 1 words, including ⟨begin⟩, which the model depends on.

        Args:
            before: the sentence so far, from its first word on.

        >>> NGramCounts([["a"]], order=3).context(["a", "dog"])
        ('a', 'dog')
        """
        length = self.order - 1
        start = [] if len(before) >= length else [BEGIN]
        return (*start, *before[max(0, len(before) - length) :])

    def seen(self, order: int) -> int:
        """Return how many different n-grams of one order the text has, including ⟨end⟩.

        Args:
            order: from 1 to the order of the counts.

        Raises:
            TypeError: `order` is not an int.
            ValueError: it is out of range.
        """
        check_size("order", order)
        if order > self.order:
            raise ValueError(f"order must be at most {self.order}, what was counted, got {order}")
        return sum(len(row) for context, row in self.rows.items() if len(context) == order - 1)

    @cached_property
    def continuations(self) -> dict[Context, Counter[str]]:
        """The number of different words before each shorter n-gram.

        Kneser and Ney use these instead of counts. An n-gram that begins with ⟨begin⟩ has nothing
        before it, so it keeps its count.
        """
        found = {context: Counter[str]() for context in self.rows if len(context) < self.order - 1}
        for context, row in self.rows.items():
            shorter = context[1:]
            if context and not _begins(shorter):
                found[shorter].update(row.keys())
        return found | {context: self.rows[context] for context in found if _begins(context)}

    @cached_property
    def continuation_totals(self) -> dict[Context, int]:
        """The sums of the rows of :attr:`continuations`."""
        return {context: row.total() for context, row in self.continuations.items()}


def _begins(context: Context) -> bool:
    return context[:1] == (BEGIN,)


def each_sentence(sentences: Iterable[Sequence[str]]) -> Iterable[Sequence[str]]:
    """Require an iterable of sentences, not a single text.

    Raises:
        TypeError: `sentences` is a string, which would be read letter by letter.
    """
    if isinstance(sentences, str):
        raise TypeError(
            f"sentences must be lists of words, got a str: {sentences!r:.60}; "
            "cut it with split_words, and give a list of such lists"
        )
    return sentences


def check_sentence(name: str, sentence: Sequence[str]) -> None:
    """Require a list or tuple of strings without ⟨begin⟩ and ⟨end⟩, which are added here."""
    check_words(name, sentence)
    for mark in (BEGIN, END):
        if mark in sentence:
            raise ValueError(
                f"{name} must leave {BEGIN} and {END} to the model, got {mark} "
                f"at place {list(sentence).index(mark)}"
            )
