"""Byte-pair encoding in readable form: learning the merges, and splitting a text by them."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

from transformer_lite.checks import check_size
from transformer_lite.text.byte_alphabet import ALPHABET, chunks, readable, visible
from transformer_lite.text.tokenizer import SPECIAL_TOKENS, Tokenizer, check_text, each_text

Merge = tuple[str, str]
_REMEMBERED = 2**15


class BytePairEncoding(Tokenizer):
    """Byte-pair encoding: pieces of words, built by merging frequent pairs of neighbours.

    The vocabulary is the special tokens, the 256 bytes, and one token per merge. A text is split
    into words and each word into bytes. Then, again and again, the pair whose merge was learned
    first is merged. Bytes are written as GPT-2 writes them: *Ġ* is a space. Decoding restores every
    text.

    Args:
        merges: pairs of tokens, in the order in which they are to be merged.

    Raises:
        TypeError: `merges` is not a list of pairs of strings.
        ValueError: a merge joins something that is not a token yet, or occurs twice.

    Reference: Sennrich, Haddow and Birch 2016, section 3.2; Radford et al. 2019, section 2.2.

    >>> tokenizer = BytePairEncoding.train(["low lower lowest"], vocab_size=264)
    >>> tokenizer.merges
    (('l', 'o'), ('lo', 'w'), ('Ġ', 'low'), ('Ġlow', 'e'))
    >>> tokenizer.pieces("slow lowest")
    ['s', 'low', 'Ġlowe', 's', 't']
    """

    def __init__(self, merges: Sequence[Merge]) -> None:
        self.merges = _checked(merges)
        self.ranks = {merge: rank for rank, merge in enumerate(self.merges)}
        # Two merges may make one token, as a+bc and ab+c do.
        made = dict.fromkeys([*sorted(ALPHABET), *map("".join, self.merges)])
        super().__init__(made)
        self._cut = lru_cache(maxsize=_REMEMBERED)(self._cut_chunk)

    @classmethod
    def train(cls, texts: Iterable[str], vocab_size: int) -> Self:
        """Learn merges from texts until the vocabulary is full or no pair is left.

        Args:
            texts: the training texts.
            vocab_size: the number of tokens, including special tokens and bytes; at least 260.

        Raises:
            TypeError: `texts` is one string or holds other things, or `vocab_size` is not an int.
            ValueError: `vocab_size` is smaller than 260.
        """
        check_size("vocab_size", vocab_size, minimum=len(SPECIAL_TOKENS) + len(ALPHABET))
        counts = Counter(chunk for text in each_text(texts) for chunk in chunks(text))
        words = {visible(chunk): count for chunk, count in counts.items()}
        return cls(learn_merges(words, vocab_size - len(SPECIAL_TOKENS), alphabet=ALPHABET))

    def pieces(self, text: str) -> list[str]:
        """Cut a text into tokens, with bytes written as visible characters."""
        check_text("text", text)
        return [piece for chunk in chunks(text) for piece in self._cut(chunk)]

    def _cut_chunk(self, chunk: str) -> tuple[str, ...]:
        """Merge the bytes of a chunk, in the order in which the merges were learned."""
        pieces = list(visible(chunk))
        while len(pieces) > 1:
            rank, pair = min(
                (self.ranks.get(pair, len(self.ranks)), pair) for pair in pairwise(pieces)
            )
            if rank == len(self.ranks):
                break
            pieces = merged(pieces, pair)
        return tuple(pieces)

    def _join(self, pieces: list[str]) -> str:
        return readable("".join(pieces))

    def _settings(self) -> dict[str, Any]:
        return {"merges": [list(merge) for merge in self.merges]}


def merged(pieces: Sequence[str], pair: Merge) -> list[str]:
    """Merge a pair wherever it occurs, from left to right.

    >>> merged(["a", "a", "a", "b"], ("a", "a"))
    ['aa', 'a', 'b']
    """
    result: list[str] = []
    i = 0
    while i < len(pieces):
        joined = pieces[i : i + 2] == list(pair)
        result.append("".join(pair) if joined else pieces[i])
        i += 2 if joined else 1
    return result


def learn_merges(
    words: Mapping[str, int], vocab_size: int, alphabet: Iterable[str] = ()
) -> list[Merge]:
    """Merge the most frequent pair of neighbours, again and again.

    Of equally frequent pairs, the one with the lower ids comes first: ids number the alphabet in
        Unicode order, then the merges. Only words with the merged pair are counted again.

    Args:
        words: how often each word occurs; a word starts as its characters.
        vocab_size: the maximum number of tokens: the alphabet and one for each merge.
        alphabet: characters that are tokens in any case, in addition to those of the words.

    Returns:
        The merges in their order: fewer if all words have become one token each.

    Raises:
        TypeError: `vocab_size` is not an int.
        ValueError: `vocab_size` is smaller than 0.

    >>> learn_merges({"low": 5, "slow": 2, "wow": 9}, vocab_size=7)
    [('o', 'w'), ('w', 'ow'), ('l', 'ow')]
    """
    check_size("vocab_size", vocab_size, minimum=0)
    tokens = sorted({*alphabet, *"".join(words)})
    ids = {token: i for i, token in enumerate(tokens)}
    pairs = _Pairs([([ids[c] for c in word], count) for word, count in words.items()])
    merges: dict[Merge, None] = {}  # a pair can occur again if other merges make its parts
    while len(tokens) < vocab_size and (pair := pairs.most_frequent()) is not None:
        left, right = tokens[pair[0]], tokens[pair[1]]
        merges[left, right] = None
        if left + right not in ids:
            ids[left + right] = len(tokens)
            tokens.append(left + right)
        pairs.merge(pair, ids[left + right])
    return list(merges)


class _Pairs:
    """Words as lists of ids, and how often each pair of neighbours occurs in them."""

    def __init__(self, words: list[tuple[list[int], int]]) -> None:
        self.words = [word for word, _ in words]
        self.counts_of_words = [count for _, count in words]
        self.counts: Counter[tuple[int, int]] = Counter()
        self.places: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for i, word in enumerate(self.words):
            for pair in pairwise(word):
                self.counts[pair] += self.counts_of_words[i]
                self.places[pair].add(i)
        # The largest count comes first, of equal ones the lowest ids. Counts change later; an
        # entry whose count is out of date is put back with the right one when it comes up.
        self.queue = [(-count, pair) for pair, count in self.counts.items()]
        heapq.heapify(self.queue)

    def most_frequent(self) -> tuple[int, int] | None:
        """Return the pair to merge next, or None if no pair is left."""
        while self.queue:
            count, pair = heapq.heappop(self.queue)
            now = self.counts[pair]
            if now == -count:
                if now > 0:
                    return pair
            elif now > 0:
                heapq.heappush(self.queue, (-now, pair))
        return None

    def merge(self, pair: tuple[int, int], new: int) -> None:
        """Replace a pair by a new id in the words that contain it."""
        grown = set()
        for i in self.places.pop(pair):
            word, count = self.words[i], self.counts_of_words[i]
            joined = _joined(word, pair, new)
            for old in pairwise(word):
                self.counts[old] -= count
            for found in pairwise(joined):
                self.counts[found] += count
                if new in found:
                    self.places[found].add(i)
                    grown.add(found)
            self.words[i] = joined
        for found in grown:
            heapq.heappush(self.queue, (-self.counts[found], found))


def _joined(word: list[int], pair: tuple[int, int], new: int) -> list[int]:
    left, right = pair
    result: list[int] = []
    i, last = 0, len(word) - 1
    while i <= last:
        if word[i] == left and i < last and word[i + 1] == right:
            result.append(new)
            i += 2
        else:
            result.append(word[i])
            i += 1
    return result


def _checked(merges: Sequence[Merge]) -> tuple[Merge, ...]:
    """Require merges of tokens that exist before them."""
    if not isinstance(merges, list | tuple):
        raise TypeError(f"merges must be a list, got {type(merges).__name__}: {merges!r:.60}")
    known, seen = set(ALPHABET), set()
    for i, merge in enumerate(merges):
        if not isinstance(merge, list | tuple) or len(merge) != 2:
            raise TypeError(f"merges[{i}] must be a pair of tokens, got {merge!r:.60}")
        for token in merge:
            check_text(f"a token of merges[{i}]", token)
            if token not in known:
                raise ValueError(f"merges[{i}] must join tokens made before it, got {token!r:.60}")
        if tuple(merge) in seen:
            raise ValueError(f"merges must differ, got {tuple(merge)!r:.60} twice")
        seen.add(tuple(merge))
        known.add("".join(merge))
    return tuple((left, right) for left, right in merges)
