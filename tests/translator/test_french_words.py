"""The list of French words: each that was read, once, and under its kind."""

import json

from transformer_lite.text import Pair, grammar_corpus, split_words
from transformer_lite.translator.french_words import french_words, write_french_words

PAIRS = grammar_corpus(seed=3, size=2000, held_out=10).train


def test_each_word_that_was_read_stands_in_one_kind():
    kinds = french_words(PAIRS)
    listed = [word for words in kinds.values() for word in words]
    assert len(listed) == len({*listed})
    assert {*listed} == {word for pair in PAIRS for word in split_words(pair.source)}


def test_words_stand_under_their_kind_by_the_alphabet():
    text = "l'étudiante dort, marie aime les six zèbres noirs et l'école. dort-elle ?"
    assert french_words([Pair(text, "")]) == {
        "small words": ["-elle", "et", "l'", "les", "zèbres"],
        "nouns": ["école", "étudiante"],
        "names and numbers": ["marie", "six"],
        "adjectives": ["noirs"],
        "verbs": ["aime", "dort"],
        "marks": [",", ".", "?"],
    }


def test_the_file_holds_the_list(tmp_path):
    assert write_french_words(PAIRS[:50], tmp_path / "words.json") > 50
    assert json.loads((tmp_path / "words.json").read_text()) == french_words(PAIRS[:50])
