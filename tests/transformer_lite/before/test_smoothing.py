"""Smoothing rules: against their formulas, written another way, and against each other."""

from collections import Counter
from itertools import pairwise

import pytest

from transformer_lite.before import (
    BEGIN,
    END,
    AddK,
    Interpolation,
    KneserNey,
    NGramModel,
)
from transformer_lite.text import split_words

TEXT = """The cat sat. The cat saw San Francisco. We saw San Francisco. The dog went to San
Francisco. The dog sat on the cat. We sat."""
SENTENCES = [split_words(part) for part in TEXT.split(".") if part.strip()]
PAIRS = Counter(pair for s in SENTENCES for pair in pairwise([BEGIN, *s, END]))
FIRST, SECOND = Counter(), Counter()
for (before, after), n in PAIRS.items():
    FIRST[before] += n
    SECOND[after] += n
VOCABULARY = sorted(SECOND)


def bigrams(smoothing):
    return NGramModel.count(SENTENCES, 2, smoothing)


@pytest.mark.parametrize("k", [0.01, 1, 2.5])
def test_add_k_by_hand(k):
    for before in ("the", "saw", "nobody"):
        for word in VOCABULARY:
            want = (PAIRS[before, word] + k) / (FIRST[before] + k * len(VOCABULARY))
            assert bigrams(AddK(k)).probability(word, [before]) == pytest.approx(want)


def test_interpolation_by_hand():
    total = sum(SECOND.values())
    for word in VOCABULARY:
        alone = SECOND[word] / total
        want = 0.3 * alone + 0.7 * PAIRS["the", word] / FIRST["the"]
        counted = bigrams(Interpolation([0.3, 0.7]))
        assert counted.probability(word, ["the"]) == pytest.approx(want)
        assert counted.probability(word, ["nobody"]) == pytest.approx(alone)


@pytest.mark.parametrize("d", [0.1, 0.75, 0.99])
def test_kneser_ney_bigrams_by_hand(d):
    for before in ("the", "saw", "san"):
        followers = sum(1 for a, _ in PAIRS if a == before)
        for word in VOCABULARY:
            contexts = sum(1 for _, b in PAIRS if b == word)
            lower = contexts / len(PAIRS)
            high = max(PAIRS[before, word] - d, 0) / FIRST[before]
            want = high + d * followers / FIRST[before] * lower
            got = bigrams(KneserNey(d)).probability(word, [before])
            assert got == pytest.approx(want)


def test_kneser_ney_trigrams_by_hand():
    d, texts = 0.5, [[BEGIN, *s, END] for s in SENTENCES]
    triples = {tuple(t[i : i + 3]) for t in texts for i in range(len(t) - 2)}
    count = Counter(tuple(t[i : i + 3]) for t in texts for i in range(len(t) - 2))
    for word in VOCABULARY:
        of_pair = {t for t in triples if t[1] == "san"}
        middle = len([t for t in of_pair if t[2] == word])
        others = len({t[2] for t in of_pair})
        lowest = sum(1 for _, b in PAIRS if b == word) / len(PAIRS)
        lower = max(middle - d, 0) / len(of_pair) + d * others / len(of_pair) * lowest
        total = sum(n for t, n in count.items() if t[:2] == ("saw", "san"))
        kinds = len({t[2] for t in count if t[:2] == ("saw", "san")})
        want = (max(count["saw", "san", word] - d, 0) + d * kinds * lower) / total
        got = NGramModel.count(SENTENCES, 3, KneserNey(d)).probability(word, ["saw", "san"])
        assert got == pytest.approx(want)


@pytest.mark.parametrize(
    "smoothing",
    [AddK(0.2), Interpolation([0.2, 0.3, 0.5]), Interpolation([0.4, 0.6, 0]), KneserNey(0.75)],
    ids=str,
)
def test_seen_and_unseen_contexts_sum_to_one(smoothing):
    model = NGramModel.count(SENTENCES, 3, smoothing)
    words = [*VOCABULARY[:-1], "nobody"]
    for before in words:
        for word in words:
            row = model.distribution([before, word])
            assert sum(row.values()) == pytest.approx(1, abs=1e-12)
            assert min(row.values()) > 0
    assert sum(model.distribution().values()) == pytest.approx(1, abs=1e-12)
