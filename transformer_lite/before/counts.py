"""How often each word followed each context: all that a model of counts knows about a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from transformer_lite.checks import check_size
from transformer_lite.text.tokenizer import check_words

#: Stands before every sentence, as often as a context is long. It is read and never predicted.
BEGIN = "⟨begin⟩"
#: Stands behind every sentence. It is predicted like a word, and nothing follows it.
END = "⟨end⟩"

Context = tuple[str, ...]


class NGramCounts:
    """The counts of all n-grams up to one order.

    A sentence is read word by word, its ⟨end⟩ included. Each word is counted behind the order − 1
    words before it, and behind each shorter end of that context. Before the first word stands
    ⟨begin⟩, and nothing before that: near it a context is shorter.

    Args:
        sentences: sentences as lists or tuples of words, read once.
        order: the n of n-gram; a context has n − 1 words.

    Attributes:
        order: as given.
        vocabulary: the words by the alphabet, ⟨end⟩ last: all that can be predicted.
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
        """Whether a word can be predicted."""
        return word in self._words

    def context(self, before: Sequence[str]) -> Context:
        """Return what the model sees of the words before: the last order − 1, ⟨begin⟩ included.

        Args:
            before: the sentence so far, from its first word on.

        >>> NGramCounts([["a"]], order=3).context(["a", "dog"])
        ('a', 'dog')
        """
        length = self.order - 1
        start = [] if len(before) >= length else [BEGIN]
        return (*start, *before[max(0, len(before) - length) :])

    def seen(self, order: int) -> int:
        """Return how many different n-grams of one order the text has, ⟨end⟩ included.

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
        """How many different words stand before each shorter n-gram.

        Kneser and Ney count these in place of occurrences. An n-gram that begins with ⟨begin⟩
        has nothing before it: there the occurrences stay.
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
    """Require many sentences, not a text.

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
