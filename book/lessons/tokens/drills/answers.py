"""The right answers of the chapter's drills, computed by the package."""

from collections import Counter
from itertools import pairwise

from torch import Tensor

from lessons.kit.drills.answers import Problem, doubles
from transformer_lite.text.bpe import BytePairEncoding, learn_merges


def next_merge(p: Problem) -> Tensor:
    """Return the first merge that the package learns, and the counts from the spelled text."""
    times = dict(zip(p["words"], p["times"], strict=True))
    [first] = learn_merges(times, vocab_size=len({*"".join(times)}) + 1)
    text = [word for word, count in times.items() for _ in range(count)]
    counts = Counter("".join(pair) for word in text for pair in pairwise(word))
    return doubles([*(counts[pair] for pair in p["pairs"]), p["pairs"].index("".join(first)) + 1])


def merge_by_rank(p: Problem) -> Tensor:
    """Return the merges that change the split when one more merge is known."""
    merges = [tuple(pair) for pair in p["merges"]]
    cuts = [BytePairEncoding(merges[:known]).pieces(p["word"]) for known in range(len(merges) + 1)]
    used = [i for i, (before, after) in enumerate(pairwise(cuts), start=1) if before != after]
    return doubles([*used, *[0] * (4 - len(used)), len(cuts[-1])])
