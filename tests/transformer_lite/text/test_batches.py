"""Batches: every pair once an epoch, little padding, within the limit, and resumable."""

import json
import os
import subprocess
import sys
from itertools import islice

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lessons.trained.grammar import grammar_corpus
from transformer_lite.text import (
    Batches,
    CharacterTokenizer,
    WordTokenizer,
    make_batch,
    split_words,
)

PAIRS = grammar_corpus(seed=1, size=700, held_out=10).train
TOKENIZER = WordTokenizer.train(text for pair in PAIRS for text in pair[:2])


def batches(max_tokens=200, seed=0, pairs=PAIRS):
    return Batches(pairs, TOKENIZER, max_tokens, seed)


def same(first, second):
    return all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


def texts(batch):
    return [
        (TOKENIZER.decode(src), TOKENIZER.decode(tgt))
        for src, tgt in zip(batch.src, batch.tgt, strict=True)
    ]


def epoch(stream):
    """The batches up to the end of the epoch in which the stream is."""
    return list(islice(stream, len(stream) - stream.position))


def test_the_form_of_a_batch():
    batch = make_batch([("je dors", "i sleep"), ("merci", "thanks")], TOKENIZER)
    je, dors, merci = TOKENIZER.encode("je dors merci")
    i, sleep, thanks = TOKENIZER.encode("i sleep thanks")
    assert batch.src.tolist() == [[je, dors, 2], [merci, 2, 0]]
    assert batch.tgt.tolist() == [[1, i, sleep, 2], [1, thanks, 2, 0]]
    assert batch.inputs.tolist() == [[1, i, sleep], [1, thanks, 2]]
    assert batch.labels.tolist() == [[i, sleep, 2], [thanks, 2, 0]]
    assert batch.src.dtype == batch.tgt.dtype == torch.int64


def test_a_target_may_have_a_tokenizer_of_its_own():
    letters = CharacterTokenizer(["a", "b"])
    batch = make_batch([("merci", "ab")], TOKENIZER, letters)
    assert batch.tgt.tolist() == [[1, 4, 5, 2]]
    stream = Batches([("merci", "ab")], TOKENIZER, 9, 0, letters)
    assert same(next(stream), batch)


def test_each_pair_occurs_once_an_epoch():
    stream = batches()
    for _ in range(3):
        found = [pair for batch in epoch(stream) for pair in texts(batch)]
        assert sorted(found) == sorted(pair[:2] for pair in PAIRS)


LONGEST = max(len(split_words(text)) + 1 for pair in PAIRS for text in pair[:2])


@given(st.integers(LONGEST, 400), st.integers(0, 5))
def test_no_batch_is_larger_than_requested(max_tokens, seed):
    for batch in epoch(batches(max_tokens, seed, PAIRS[:120])):
        assert batch.src.numel() <= max_tokens
        assert batch.inputs.numel() <= max_tokens


def test_pairs_of_like_length_share_a_batch_and_pads_stand_at_the_end():
    found = epoch(batches(400))
    for batch in found:
        for ids in batch:
            real = ids != 0
            assert not (real[:, 1:] & ~real[:, :-1]).any()
    pads = sum((ids == 0).sum().item() for batch in found for ids in batch)
    assert pads < 0.16 * sum(ids.numel() for batch in found for ids in batch)


def test_every_epoch_and_seed_has_its_own_order():
    stream = batches()
    first, second = epoch(stream), epoch(stream)
    assert (stream.epoch, stream.position) == (2, 0)
    assert not same(first[0], second[0])
    assert not same(first[0], next(batches(seed=1)))
    assert all(same(a, b) for a, b in zip(first, epoch(batches()), strict=True))
    shapes = [batch.src.shape[1] for batch in first]
    assert shapes != sorted(shapes)


@pytest.mark.parametrize("before", [0, 1, 7, 60, 150])
def test_a_state_continues_in_the_middle(before):
    stream = batches()
    list(islice(stream, before))
    state = json.loads(json.dumps(stream.state_dict()))
    expected = list(islice(stream, 80))
    again = batches()
    list(islice(again, 3))
    again.load_state_dict(state)
    assert all(same(a, b) for a, b in zip(expected, islice(again, 80), strict=True))
    assert again.state_dict() == stream.state_dict()


def test_a_state_of_other_pairs_with_the_same_words_is_refused():
    one, other = (batches(pairs=[pair]) for pair in (("je dors", "i"), ("je", "dors i")))
    with pytest.raises(ValueError, match="state must be of these batches, with fingerprint"):
        other.load_state_dict(one.state_dict())


@pytest.mark.nightly
def test_batches_do_not_depend_on_pythons_hash_seed():
    script = (
        "from lessons.trained.grammar import *\nfrom transformer_lite.text import *\n"
        "p = grammar_corpus(size=50, held_out=2).train\n"
        "t = WordTokenizer.train(x for pair in p for x in pair[:2])\n"
        "b = Batches(p, t, 60, 1)\n"
        "print([next(b).src.tolist() for _ in range(30)], b.state_dict())\n"
        "print([pair[:2] for pair in p], sorted(held_out_combinations()))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
