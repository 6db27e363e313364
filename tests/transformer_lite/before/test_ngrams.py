"""Models of counts: what a sentence is worth, and that nothing is lost or gained on the way."""

import itertools
import math

import pytest
import torch

from transformer_lite.before import (
    BEGIN,
    END,
    AddK,
    Interpolation,
    KneserNey,
    NGramCounts,
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
    """A weight for each order, none alike."""
    weights = [n + 1.0 for n in range(order)]
    return Interpolation([w / sum(weights) for w in weights])


def test_only_the_last_words_of_a_context_count():
    trigrams = model(3)
    longer = trigrams.distribution(["a", "dog", "bites", "the"])
    assert longer == trigrams.distribution(["x", "bites", "the"])
    assert trigrams.probability("man", ["bites", "the"]) == 1.0
    assert trigrams.probability("man", ["the"]) == 2 / 4  # ⟨begin⟩ and “the”


def test_the_order_is_one_more_than_the_words_looked_back_at():
    for order in range(1, 6):
        counts = NGramCounts(SENTENCES, order)
        assert counts.order == order
        assert max(map(len, counts.rows)) == order - 1
        assert counts.context(["a", "b", "c", "d", "e"]) == ("a", "b", "c", "d", "e")[6 - order :]


def test_the_vocabulary_holds_the_end_and_not_the_begin():
    words = model(2).vocabulary
    assert words[-1] == END and BEGIN not in words
    assert list(words[:-1]) == sorted({w for s in SENTENCES for w in s})
    assert model(2).probability(BEGIN, ["the"]) == 0


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=str)
@pytest.mark.parametrize("order", [1, 2, 3, 7])
def test_rows_sum_to_one(order, smoothing):
    counted = model(order, smoothing)
    for context in ([], ["the"], ["the", "dog"], ["the", "dog", "bites", "the"]):
        assert sum(counted.distribution(context).values()) == pytest.approx(1, abs=1e-12)


def test_the_log_probability_is_that_of_the_product():
    for order, smoothing in itertools.product([1, 2, 3], SMOOTHINGS):
        counted = model(order, smoothing)
        for sentence in SENTENCES:
            words = [*sentence, END]
            ps = [counted.probability(w, words[:i]) for i, w in enumerate(words)]
            assert counted.log_probability(sentence) == pytest.approx(math.log(math.prod(ps)))


def test_a_bag_of_words_is_blind_to_order_and_bigrams_are_not():
    orders = set(itertools.permutations(["the", "dog", "bites", "a", "man"]))
    bag = {round(model(1).log_probability(s), 9) for s in orders}
    pairs = {round(model(2, AddK(1)).log_probability(s), 9) for s in orders}
    assert len(bag) == 1 and len(pairs) > 20


def test_no_row_of_shares_makes_the_text_more_probable():
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


def test_what_was_never_seen_costs_everything_without_smoothing():
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


def test_a_sentence_without_words_is_an_end():
    counted = NGramModel.count([[]], 3)
    assert counted.vocabulary == (END,)
    assert counted.log_probability([]) == 0
    assert counted.perplexity([[]]) == 1
    assert counted.sample(torch.Generator().manual_seed(0)) == []


# Sampling


def test_samples_come_as_often_as_they_are_probable():
    counted = NGramModel.count([["a"], ["a"], ["b", "a"], []], 2)
    generator = torch.Generator().manual_seed(2)
    drawn = [tuple(counted.sample(generator)) for _ in range(4000)]
    for sentence in [("a",), ("b", "a"), ()]:
        p = math.exp(counted.log_probability(sentence))
        assert drawn.count(sentence) / len(drawn) == pytest.approx(p, abs=0.03)


def test_the_same_seed_draws_the_same_and_the_longest_is_a_limit():
    counted = model(2, AddK(0.01))
    first, second = (torch.Generator().manual_seed(3) for _ in range(2))
    assert [counted.sample(first) for _ in range(5)] == [counted.sample(second) for _ in range(5)]
    endless = NGramModel.count([["a"] * 10_000], 2)
    assert len(endless.sample(first, longest=7)) == 7


# Counts


def test_seen_counts_different_ngrams():
    counts = NGramCounts([["a", "b"], ["a", "b"], ["b"]], order=3)
    # a, b, ⟨end⟩ · ⟨begin⟩ a, ⟨begin⟩ b, a b, b ⟨end⟩ · ⟨begin⟩ a b, ⟨begin⟩ b ⟨end⟩, a b ⟨end⟩
    assert [counts.seen(n) for n in (1, 2, 3)] == [3, 4, 3]


def test_continuations_are_different_words_before():
    counts = NGramCounts([["a", "c"], ["a", "c"], ["b", "c"], ["c"]], order=2)
    assert counts.continuations[()] == {"c": 3, "a": 1, "b": 1, END: 1}
    assert counts.continuation_totals[()] == 6


def test_behind_the_begin_occurrences_stay():
    counts = NGramCounts([["a", "c"], ["a", "c"], ["b", "a"]], order=3)
    assert counts.continuations[BEGIN,] == {"a": 2, "b": 1}
    assert counts.continuations["a",] == {"c": 1, END: 1}


def test_a_model_says_what_it_is():
    assert repr(model(2, AddK(0.5))) == "NGramModel(order=2, V=9, AddK(k=0.5))"
    assert repr(mixed(1)) == "Interpolation(weights=(1.0,))"


def test_a_long_sentence_does_not_underflow():
    counted = NGramModel.count([["heads"], ["tails"]], 2, AddK(1))
    long = counted.log_probability(["heads"] * 5000)
    assert math.exp(long) == 0 and -math.inf < long < -5000
