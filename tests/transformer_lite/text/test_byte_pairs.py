"""Byte pairs on realistic input: nothing, raw bytes, long runs, much text, ties."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_lite.text import (
    BytePairEncoding,
    CharacterTokenizer,
    SubwordTokenizer,
    Tokenizer,
)
from transformer_lite.text.byte_alphabet import ALPHABET

TEXTS = ["the cat sat on the mat", 'he typed a " !" and no more', "tokens, token by token"]
both = pytest.mark.parametrize("kind", [BytePairEncoding, SubwordTokenizer])


# Too little


def test_an_unknown_character_gets_the_unknown_id_and_is_not_dropped():
    tokenizer = CharacterTokenizer.train(["hug"])
    assert tokenizer.encode("mug")[0] == tokenizer.unk_id and len(tokenizer.encode("mug")) == 3


# Bytes


@given(st.binary(max_size=30))
def test_invalid_utf8_read_with_surrogateescape_round_trips(raw):
    text = raw.decode("utf-8", "surrogateescape")
    tokenizer = BytePairEncoding.train([text], 270)
    back = tokenizer.decode(tokenizer.encode(text))
    assert back.encode("utf-8", "surrogateescape") == raw


@both
def test_ids_of_invalid_utf8_decode_to_replacement_characters(kind):
    tokenizer = kind.train(TEXTS, 270)
    ids = {token: i for i, token in enumerate(tokenizer.tokens)}
    rng = random.Random(0)
    for _ in range(200):
        raw = rng.randbytes(6)
        text = tokenizer.decode([ids[ALPHABET[byte]] for byte in raw])
        assert text == raw.decode("utf-8", "replace")


@both
def test_a_character_in_two_tokens_is_whole_only_with_both(kind):
    tokenizer = kind.train(TEXTS, 270)
    ids = tokenizer.encode("ï")
    assert [tokenizer.decode([i]) for i in ids] == ["�", "�"]
    assert tokenizer.decode(ids) == "ï"


# What comes back


@both
@pytest.mark.parametrize("text", ["cat", " cat", "cat ", 'a " !" b', "don 't", " , .", "\n\n x\t"])
def test_spaces_are_preserved(kind, text, tmp_path):
    tokenizer = kind.train(TEXTS, 300)
    tokenizer.save(tmp_path / "t.json")
    for one in (tokenizer, Tokenizer.load(tmp_path / "t.json")):
        assert one.decode(one.encode(text)) == text


# Ties, runs and much text


@both
def test_merges_do_not_depend_on_the_order_of_the_texts(kind):
    rng = random.Random(1)
    texts = ["".join(rng.choices("abc ", k=30)) for _ in range(20)]
    merges = kind.train(texts, 300).merges
    for _ in range(5):
        rng.shuffle(texts)
        assert kind.train(texts, 300).merges == merges


@both
@pytest.mark.parametrize("rivals", [3, 4, 5])
def test_a_run_of_five_is_counted_as_four_neighbors(kind, rivals):
    """The pair cd has the higher ids, so it comes first only where it is more frequent."""
    first = kind.train(["aaaaa", *["cd"] * rivals], 261).merges[0]
    assert first == (("c", "d") if rivals > 4 else ("a", "a"))


def much_text(characters):
    """Random words: a few are frequent and most are rare, as in a language."""
    rng = random.Random(4)
    known = [
        "".join(rng.choices("etaoinshrdlu", k=2 + min(10, int(rng.expovariate(0.2)))))
        for _ in range(20_000)
    ]
    weights = [1 / rank for rank in range(1, len(known) + 1)]
    words = rng.choices(known, weights, k=characters // 6)
    return [" ".join(words[i : i + 20]) for i in range(0, len(words), 20)]


def test_a_megabyte_is_learned_in_seconds_and_as_the_library_does():
    """Counting everything again after each of the merges would take many minutes."""
    texts = much_text(1_000_000)
    assert sum(map(len, texts)) > 900_000
    start = time.process_time()
    ours = BytePairEncoding.train(texts, 1000)
    seconds = time.process_time() - start
    assert ours.merges == SubwordTokenizer.train(texts, 1000).merges
    assert seconds < 15
