"""n-gram models: probabilities of sentences, perplexity and sampling."""

import itertools
import math

import pytest
import torch

from transformer_lite.before import (
    END,
    AddK,
    Interpolation,
    KneserNey,
    NGramModel,
)

SENTENCES = [
    text.split()
    for text in (
        "the dog bites the man",
        "the man sees the dog",
        "a dog sleeps",
        "the man sleeps",
        "a man reads",
        "the dog",
    )
]
SMOOTHINGS = [None, AddK(0.3), KneserNey(0.6)]


def model(order, smoothing=None):
    return NGramModel.count(SENTENCES, order, smoothing)


def mixed(order):
    """A weight for each order, all different."""
    weights = [n + 1.0 for n in range(order)]
    return Interpolation([w / sum(weights) for w in weights])


def test_only_the_last_words_of_a_context_count():
    trigrams = model(3)
    longer = trigrams.distribution(["a", "dog", "bites", "the"])
    assert longer == trigrams.distribution(["x", "bites", "the"])
    assert trigrams.probability("man", ["bites", "the"]) == 1.0
    assert trigrams.probability("man", ["the"]) == 2 / 4  # ⟨begin⟩ and “the”


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=str)
@pytest.mark.parametrize("order", [1, 2, 3, 7])
def test_rows_sum_to_one(order, smoothing):
    counted = model(order, smoothing)
    for context in ([], ["the"], ["the", "dog"], ["the", "dog", "bites", "the"]):
        assert sum(counted.distribution(context).values()) == pytest.approx(1, abs=1e-12)


def test_the_log_probability_is_the_log_of_the_product():
    for order, smoothing in itertools.product([1, 2, 3], SMOOTHINGS):
        counted = model(order, smoothing)
        for sentence in SENTENCES:
            words = [*sentence, END]
            ps = [counted.probability(w, words[:i]) for i, w in enumerate(words)]
            assert counted.log_probability(sentence) == pytest.approx(math.log(math.prod(ps)))


def test_relative_frequencies_maximize_the_likelihood():
    """Maximum likelihood: any other table gives the counted text a lower probability."""
    best = sum(model(2).log_probability(s) for s in SENTENCES)
    for k in (1e-3, 0.1, 1.0):
        assert sum(model(2, AddK(k)).log_probability(s) for s in SENTENCES) < best
    for smoothing in (mixed(2), KneserNey(0.1)):
        assert sum(model(2, smoothing).log_probability(s) for s in SENTENCES) < best


def test_perplexity_is_a_mean_over_all_words_and_ends():
    counted = model(2, AddK(1))
    total = sum(counted.log_probability(s) for s in SENTENCES)
    words = sum(len(s) + 1 for s in SENTENCES)
    assert counted.perplexity(SENTENCES) == pytest.approx(math.exp(-total / words))
    assert counted.perplexity(iter(SENTENCES)) == counted.perplexity(SENTENCES)


def test_unseen_words_have_infinite_perplexity_without_smoothing():
    assert model(2).log_probability(["the", "sleeps"]) == -math.inf
    assert model(2).perplexity([*SENTENCES, ["the", "sleeps"]]) == math.inf
    assert math.isfinite(model(2, AddK(0.1)).perplexity([["the", "sleeps"]]))


@pytest.mark.parametrize("smoothing", [*SMOOTHINGS, mixed(2)], ids=str)
def test_a_word_outside_the_vocabulary_is_impossible(smoothing):
    counted = model(2, smoothing)
    assert counted.probability("zebra", ["the"]) == 0
    assert counted.perplexity([["zebra"]]) == math.inf
    unseen = counted.probability("dog", ["zebra"])
    assert (unseen == 0) == (smoothing is None)


# What is at the edge


# Sampling


def test_sample_frequencies_match_probabilities():
    counted = NGramModel.count([["a"], ["a"], ["b", "a"], []], 2)
    generator = torch.Generator().manual_seed(2)
    drawn = [tuple(counted.sample(generator)) for _ in range(4000)]
    for sentence in [("a",), ("b", "a"), ()]:
        p = math.exp(counted.log_probability(sentence))
        assert drawn.count(sentence) / len(drawn) == pytest.approx(p, abs=0.03)


def test_a_seed_repeats_the_samples_and_longest_limits_their_length():
    counted = model(2, AddK(0.01))
    first, second = (torch.Generator().manual_seed(3) for _ in range(2))
    assert [counted.sample(first) for _ in range(5)] == [counted.sample(second) for _ in range(5)]
    endless = NGramModel.count([["a"] * 10_000], 2)
    assert len(endless.sample(first, longest=7)) == 7


# Counts
