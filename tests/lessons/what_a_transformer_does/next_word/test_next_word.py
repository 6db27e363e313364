"""Next word: what is counted, what a temperature does, and what the picture says."""

from collections import Counter

import pytest
import torch

from lessons.what_a_transformer_does.next_word.counts import next_words, shares_of, words_of
from tests.lessons.what_a_transformer_does.next_word.spec import BEGINNINGS, TEXT
from tests.lessons.what_a_transformer_does.next_word.spec import make as figure_of

WORDS = words_of(TEXT)


def test_words_are_small_and_what_ends_a_sentence_is_one():
    assert words_of("Don't go. WHY?  Ça va!") == ["don't", "go", ".", "why", "?", "ça", "va", "!"]
    assert words_of(" ,;-") == []


@pytest.mark.parametrize("context", [1, 2, 3])
def test_counts_are_those_of_every_place_in_the_text(context):
    for start in range(len(WORDS) - context):
        last = WORDS[start : start + context]
        places = [i for i in range(len(WORDS) - context) if WORDS[i : i + context] == last]
        used, counts = next_words(WORDS, ["well", *last], context)
        assert used == context
        assert counts == Counter(WORDS[i + context] for i in places)
        assert [*counts.values()] == sorted(counts.values(), reverse=True)


def test_of_equally_frequent_words_the_first_in_the_text_comes_first():
    assert [*next_words(WORDS, ["the"], 1)[1]] == ["cat", "dog", "mat", "rug"]


@pytest.mark.parametrize(
    ("beginning", "used"),
    [("the cat sat", 3), ("a cat sat", 2), ("cat mat the dog", 2), ("on zebra", 0), ("", 0)],
)
def test_it_looks_at_fewer_words_where_the_text_lacks_them(beginning, used):
    found, counts = next_words(WORDS, beginning.split(), context=3)
    assert found == used
    assert used or counts == Counter(WORDS)


def test_the_last_word_of_the_text_has_no_next_word():
    assert next_words(["a", "b"], ["b"], context=1) == (0, {"a": 1, "b": 1})


def test_temperature_sharpens_and_flattens():
    counts = {"cat": 3, "dog": 1, "mat": 1}
    plain = torch.tensor([0.6, 0.2, 0.2], dtype=torch.float64)
    torch.testing.assert_close(shares_of(counts), plain)
    assert shares_of(counts, 0.1)[0] > 0.99
    hot = shares_of(counts, 3.0)
    assert plain[0] > hot[0] > hot[1] > plain[1]
    torch.testing.assert_close(hot[0] / hot[1], torch.tensor(3.0, dtype=torch.float64) ** (1 / 3))


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_the_shares_are_those_among_all_next_words(beginning):
    figure = figure_of(beginning=beginning)
    counts = figure.next_words()[1]
    results = figure.results()
    assert len(results["times"]) == len(results["shares"]) == min(8, len(counts))
    share = results["times"] / sum(counts.values())
    torch.testing.assert_close(results["shares"], share)


def test_the_picture_says_how_many_words_count_and_escapes_what_was_typed():
    picture = figure_of(beginning="<b>the", context=3).picture()
    assert "words it looks at 3, of which the text knows 1; temperature 1; 4 possible" in picture
    assert "“&lt;b&gt;the …”" in picture and "<b>" not in picture
