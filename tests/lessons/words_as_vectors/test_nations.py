"""The small world: the words of its sentences, and which words occur together."""

from collections import Counter

from lessons.words_as_vectors.nations import NATIONS, small_world
from transformer_lite.before import context_windows

PLACES = {place for nation in NATIONS for place in (nation.country, nation.capital)}


def near(word, sentences):
    """Return how often each word occurs in a window of five around this one."""
    counts = Counter()
    for sentence in sentences:
        for middle, context in context_windows(sentence):
            counts.update(context if middle == word else ())
    return counts


def test_only_the_kinds_that_are_asked_for_are_written():
    assert all(
        sentence[2:5] == ["the", "capital", "of"] for sentence in small_world(50, 0, ("facts",))
    )
    people = {word for sentence in small_world(500, 0, ("people",)) for word in sentence}
    assert not people & PLACES


def test_a_capital_and_its_country_occur_with_the_same_words():
    sentences = small_world(8000)
    for nation in NATIONS:
        for place in (nation.country, nation.capital):
            around = near(place, sentences)
            for other in NATIONS:
                same = other is nation
                assert (around[other.language] > 0) is same
                assert (around[other.dish] > 0) is same


def test_no_window_contains_a_capital_and_its_country():
    """So the sentence that says which city is the capital cannot be what teaches it."""
    sentences = small_world(8000)
    for nation in NATIONS:
        assert not near(nation.capital, sentences).keys() & PLACES


def test_mixing_keeps_word_counts_but_breaks_co_occurrence():
    plain, mixed = small_world(8000), small_world(8000, mixed=True)
    words, others = (Counter(w for s in sentences for w in s) for sentences in (plain, mixed))
    assert words.keys() == others.keys()
    for nation in NATIONS:
        assert len(near(nation.capital, mixed).keys() & {n.language for n in NATIONS}) > 5
    assert all(0.6 < words[place] / others[place] < 1.6 for place in PLACES)
