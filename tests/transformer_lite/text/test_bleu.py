"""BLEU by hand is sacrebleu's."""

import math

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from lessons.trained.grammar import grammar_corpus
from transformer_lite.text import bleu_by_hand

SENTENCES = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)


def score(translations, references):
    return sacrebleu.corpus_bleu(translations, [references], tokenize="none", force=True)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=6))
def test_it_is_that_of_sacrebleu(texts):
    translations, references = map(list, zip(*texts, strict=True))
    ours, theirs = bleu_by_hand(translations, references), score(translations, references)
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    assert list(ours.precisions) == pytest.approx(theirs.precisions)
    assert ours.brevity == pytest.approx(theirs.bp)
    assert (list(ours.right), list(ours.total)) == (theirs.counts, theirs.totals)


def test_it_is_that_of_sacrebleu_on_sentences():
    pairs = grammar_corpus(size=60, held_out=300)
    references = [pair.target for pair in pairs.held_out]
    translations = [" ".join(text.split()[: 4 + i % 9]) for i, text in enumerate(references)]
    ours = bleu_by_hand(translations, references).score
    assert 20 < ours < 100
    assert ours == pytest.approx(score(translations, references).score, abs=1e-9)


def test_what_is_said_right_scores_100_and_nonsense_0():
    right = ["the cat sat on the mat"]
    assert bleu_by_hand(right, right).score == pytest.approx(100)
    assert bleu_by_hand(["a dog"], right).score == 0
    assert bleu_by_hand([""], right).score == 0


def test_a_word_counts_as_often_as_the_reference_has_it():
    steps = bleu_by_hand(["the the the the the the the"], ["the cat is on the mat"])
    assert (steps.right[0], steps.total[0]) == (2, 7)


def test_short_translations_pay_for_it():
    steps = bleu_by_hand(["the cat sat on"], ["the cat sat on the mat"])
    assert steps.precisions == (100, 100, 100, 100)
    assert steps.brevity == pytest.approx(math.exp(1 - 6 / 4))
    assert steps.score == pytest.approx(100 * steps.brevity)
