"""Byte-pair encoding of a tongue-twister, by :mod:`transformer_lite.text.bpe`."""

from collections import Counter
from itertools import pairwise

from lessons.worked_examples.registry import computes
from transformer_lite.text.bpe import Merge, learn_merges, merged

MERGES = 6


@computes("bpe-peter-piper")
def merges_of_a_sentence(text: str) -> dict[str, list[object]]:
    """Merge six times within the words: the pairs, how often each stood, and who tied with it."""
    words = Counter(text.split())
    pieces = [list(word) for word in text.split()]
    merges = learn_merges(words, len(set("".join(words))) + MERGES)
    counts: list[object] = []
    ties: list[object] = []
    for merge in merges:
        found = _counted(pieces)
        counts.append(found[merge])
        ties.append(sorted("".join(pair) for pair in found if found[pair] == max(found.values())))
        pieces = [merged(word, merge) for word in pieces]
    return {
        "merges": ["".join(merge) for merge in merges],
        "counts": counts,
        "ties for each merge": ties,
        "tokens": [*pieces],
    }


def _counted(pieces: list[list[str]]) -> Counter[Merge]:
    return Counter(pair for word in pieces for pair in pairwise(word))
