"""Byte-pair encoding merge by merge: all that it counts on the way.

`transformer_lite.text.bpe` counts only what a merge has changed and keeps no history. Here every
pair is counted again before every merge: slow, and plain to see. Both learn the same merges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from transformer_lite.text.bpe import Merge, merged
from transformer_lite.text.byte_alphabet import ALPHABET, chunks, visible


class Candidate(NamedTuple):
    """Two tokens that are neighbors, how often, and their ids."""

    pair: Merge
    times: int
    ids: tuple[int, int]


class Step(NamedTuple):
    """A text between two merges.

    Attributes:
        words: each different word of the text as its tokens.
        candidates: all pairs of neighbours, the one that is merged next first.
        vocabulary: how many tokens there are, the 256 bytes counted.
    """

    words: dict[str, list[str]]
    candidates: list[Candidate]
    vocabulary: int


def training_steps(text: str) -> Iterator[Step]:
    """Yield the text before each merge, and as it is after the last one.

    >>> first, *_, last = training_steps("a bat, a cat")
    >>> first.candidates[0].pair, first.candidates[0].times
    (('a', 't'), 2)
    >>> last.words[" cat"]
    ['Ġcat']
    """
    times = Counter(chunks(text))
    words = {chunk: list(visible(chunk)) for chunk in times}
    ids = {character: i for i, character in enumerate(sorted(ALPHABET))}
    while True:
        candidates = count_pairs(words, times, ids)
        yield Step(words, candidates, len(ids))
        if not candidates:
            return
        pair = candidates[0].pair
        words = {chunk: merged(tokens, pair) for chunk, tokens in words.items()}
        ids.setdefault("".join(pair), len(ids))


def count_pairs(
    words: Mapping[str, Sequence[str]], times: Mapping[str, int], ids: Mapping[str, int]
) -> list[Candidate]:
    """Count the pairs of neighbours inside of words, the most frequent first.

    Of pairs that are equally frequent the one with the lower ids comes first.

    Args:
        words: the tokens of each word.
        times: how often each word occurs.
        ids: of the tokens: bytes in the order of Unicode, then merges as they were made.
    """
    counts: Counter[Merge] = Counter()
    for word, tokens in words.items():
        for pair in pairwise(tokens):
            counts[pair] += times[word]
    found = [Candidate(pair, n, (ids[pair[0]], ids[pair[1]])) for pair, n in counts.items()]
    return sorted(found, key=lambda candidate: (-candidate.times, candidate.ids))
