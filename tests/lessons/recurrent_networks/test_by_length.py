"""The three translators of one size: what they read, and how large they are."""

import pytest

from lessons.kit.experiments import record
from lessons.recurrent_networks.experiments.by_length import MAKERS, data, texts
from transformer_lite.text import Pair

PAIRS = [Pair("a b", "x y"), Pair("c", "z"), Pair("d d d", "w")]


@pytest.mark.nightly
def test_the_models_have_nearly_equal_sizes_and_the_record_lists_them():
    tokenizer, _, _ = data()
    sizes = {
        name: sum(p.numel() for p in make(len(tokenizer)).parameters())
        for name, make in MAKERS.items()
    }
    assert max(sizes.values()) < 1.02 * min(sizes.values())
    assert {row["model"]: row["parameters"] for row in record("by_length").rows} == sizes


def test_texts_are_sentences_joined_on_both_sides():
    for text in texts(PAIRS, 20, [2, 3], seed=1):
        sides = [side.split(". ") for side in text[:2]]
        assert len(sides[0]) == len(sides[1]) in (2, 3)
        assert all(Pair(s, t) in PAIRS for s, t in zip(*sides, strict=True))
    assert texts(PAIRS, 9, [1, 2], 0) == texts(PAIRS, 9, [1, 2], 0)
    assert texts(PAIRS, 9, [1, 2], 0) != texts(PAIRS, 9, [1, 2], 1)
