"""BLEU by hand is sacrebleu's."""

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
def test_bleu_equals_sacrebleus(texts):
    translations, references = map(list, zip(*texts, strict=True))
    ours, theirs = bleu_by_hand(translations, references), score(translations, references)
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    assert list(ours.precisions) == pytest.approx(theirs.precisions)
    assert ours.brevity == pytest.approx(theirs.bp)
    assert (list(ours.right), list(ours.total)) == (theirs.counts, theirs.totals)


def test_bleu_equals_sacrebleus_on_sentences():
    pairs = grammar_corpus(size=60, held_out=300)
    references = [pair.target for pair in pairs.held_out]
    translations = [" ".join(text.split()[: 4 + i % 9]) for i, text in enumerate(references)]
    ours = bleu_by_hand(translations, references).score
    assert 20 < ours < 100
    assert ours == pytest.approx(score(translations, references).score, abs=1e-9)
