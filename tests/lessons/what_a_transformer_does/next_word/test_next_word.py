"""Next word: what is counted, what a temperature does, and what the picture says."""

from collections import Counter

import pytest
import torch

from lessons.what_a_transformer_does.next_word.counts import next_words, words_of
from tests.lessons.what_a_transformer_does.next_word.spec import BEGINNINGS, TEXT
from tests.lessons.what_a_transformer_does.next_word.spec import make as figure_of

WORDS = words_of(TEXT)


@pytest.mark.parametrize("context", [1, 2, 3])
def test_counts_cover_every_occurrence_of_the_context(context):
    for start in range(len(WORDS) - context):
        last = WORDS[start : start + context]
        places = [i for i in range(len(WORDS) - context) if WORDS[i : i + context] == last]
        used, counts = next_words(WORDS, ["well", *last], context)
        assert used == context
        assert counts == Counter(WORDS[i + context] for i in places)
        assert [*counts.values()] == sorted(counts.values(), reverse=True)


@pytest.mark.parametrize(
    ("beginning", "used"),
    [("the cat sat", 3), ("a cat sat", 2), ("cat mat the dog", 2), ("on zebra", 0), ("", 0)],
)
def test_unseen_contexts_are_shortened_until_the_text_has_them(beginning, used):
    found, counts = next_words(WORDS, beginning.split(), context=3)
    assert found == used
    assert used or counts == Counter(WORDS)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_probabilities_are_relative_to_all_next_words(beginning):
    figure = figure_of(beginning=beginning)
    counts = figure.next_words()[1]
    results = figure.results()
    assert len(results["times"]) == len(results["shares"]) == min(8, len(counts))
    share = results["times"] / sum(counts.values())
    torch.testing.assert_close(results["shares"], share)
