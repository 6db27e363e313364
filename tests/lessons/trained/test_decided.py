"""Ambiguous nouns in sentences: their positions, their meanings, the deciding word."""

import pytest

from lessons.trained.grammar import AMBIGUOUS_NOUNS, DecidedNoun, decided_nouns, grammar_corpus
from transformer_lite.text import Pair, split_words


@pytest.fixture(scope="module")
def contexts():
    return grammar_corpus(seed=3, size=20, held_out=200).held_out_contexts


def found(source, target):
    return list(decided_nouns(Pair(source, target)))


def test_a_word_of_another_clause_decides_through_a_pronoun():
    pair = (
        "voici le bureau et mes lentilles. il était ouvert.",
        "here are the office and my lentils.",
    )
    assert found(*pair) == [DecidedNoun("bureau", 2, "office", "desk", 9)]


def test_nouns_that_no_single_word_decides_are_left_out():
    assert not found("le guide est ici", "the guide is here")
    assert not found("le guide mange et le guide mange", "the guide eats and the guide eats")
    assert not found("le guide mange ce que le garçon mange", "the guide eats what the boy eats")
    assert not found("le guide mange", "he eats")
    assert not found("le guide mange", "the guide eats a guidebook")


def test_most_held_out_contexts_have_a_decided_noun_with_its_meaning(contexts):
    english = {
        form: s.lemma
        for senses in AMBIGUOUS_NOUNS.values()
        for s in senses
        for form in (s.english, s.english_plural)
    }
    count = 0
    for pair in contexts:
        for noun in decided_nouns(pair):
            count += 1
            words = split_words(pair.source)
            assert words[noun.place] == noun.word and noun.decider != noun.place
            assert english[noun.meaning] == english[noun.other]
            told = f" {' '.join(split_words(pair.target))} "
            assert f" {noun.meaning} " in told and f" {noun.other} " not in told
    assert count > len(contexts) / 2
