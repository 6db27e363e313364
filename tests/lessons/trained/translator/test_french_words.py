"""The list of French words: each word of the training pairs once, under its kind."""

import json

from lessons.trained.grammar import grammar_corpus
from lessons.trained.translator import load_translator
from lessons.trained.translator.french_words import LIST, french_words, write_french_words
from transformer_lite.text import Pair, split_words

PAIRS = grammar_corpus(seed=3, size=2000, held_out=10).train


def test_each_source_word_is_listed_under_exactly_one_kind():
    kinds = french_words(PAIRS)
    listed = [word for words in kinds.values() for word in words]
    assert len(listed) == len({*listed})
    assert {*listed} == {word for pair in PAIRS for word in split_words(pair.source)}


def test_words_are_listed_by_kind_and_alphabet():
    text = "l'étudiante dort, marie aime les six zèbres noirs et l'école. dort-elle ?"
    assert french_words([Pair(text, "")]) == {
        "small words": ["-elle", "et", "l'", "les", "zèbres"],
        "nouns": ["école", "étudiante"],
        "names and numbers": ["marie", "six"],
        "adjectives": ["noirs"],
        "verbs": ["aime", "dort"],
        "marks": [",", ".", "?"],
    }


def test_the_file_matches_the_list(tmp_path):
    tokens = ["<pad>", "chat", "the", "dort", "le", "!"]
    path = tmp_path / "words.json"
    assert write_french_words([Pair("le chat dort", "the cat sleeps")], tokens, path) == 3
    kinds = [*french_words([])]
    assert json.loads(path.read_text()) == {"kinds": kinds, "of": "-1-40-"}


def test_the_page_has_the_list_of_the_translator_that_is_shipped():
    words, tokens = json.loads(LIST.read_text()), load_translator().tokenizer.tokens
    assert len(words["of"]) == len(tokens)
    kinds = dict(zip(tokens, words["of"], strict=True))
    known = {word: kinds[word] for word in kinds if kinds[word] != "-"}
    shown = [words["kinds"][int(known[word])] for word in ("chat", "noir", "dort", "paul", "le")]
    assert shown == ["nouns", "adjectives", "verbs", "names and numbers", "small words"]
    assert {kinds[word] for word in ("the", "cat", "<eos>")} == {"-"}
