"""The cost of a new pair has two parts, which combine to the total."""

import pytest
import torch
from torch import nn

from lessons.kit.experiments import record
from lessons.language_models.experiments import new_pairs
from transformer_lite.before import BEGIN, END, KneserNey, NGramModel

TRAIN = [["a", "b", "c"], ["a", "c"], ["b", "a"]]
HELD_OUT = [["c", "a"], ["b"]]
FOLLOWERS = {BEGIN: ["a", "b"], "a": ["b", "c", END], "b": ["a", "c"], "c": [END]}
NEW = [True, True, False, False, True]  # begin c, c a, a end; begin b, b end


class Undecided(nn.Module):
    """A model of no opinion: all scores are 0."""

    def forward(self, tokens):
        return torch.zeros(*tokens.shape, 6)


def test_reserved_probability_by_counts_sums_over_unseen_followers():
    model = NGramModel.count(TRAIN, 2, KneserNey(0.75))
    found = new_pairs.chances_by_counts(model, HELD_OUT, FOLLOWERS).tolist()
    places = [[], ["c"], ["c", "a"], [], ["b"]]
    words = ["c", "a", END, "b", END]
    for (own, reserved), context, word, new in zip(found, places, words, NEW, strict=True):
        row = model.distribution(context)
        known = FOLLOWERS[context[-1] if context else BEGIN]
        unknown = sum(p for other, p in row.items() if other not in known)
        assert own == pytest.approx(row[word])
        assert reserved == pytest.approx(unknown if new else 1)


def test_reserved_probability_of_a_network_sums_over_unseen_followers():
    ids = new_pairs.numbered(TRAIN)
    found = new_pairs.chances_by_network(Undecided(), HELD_OUT, ids, FOLLOWERS)
    assert found[:, 0].tolist() == pytest.approx([1 / 6] * 5)
    known = [2, 1, 3, 2, 2]
    assert found[:, 1].tolist() == pytest.approx([(6 - count) / 6 for count in known])


@pytest.mark.parametrize("model", ["", ", bag of words", ", Kneser–Ney 0.75", ", Kneser–Ney 0.95"])
def test_recorded_parts_combine_to_the_recorded_total(model):
    for row in record("new_pairs").rows:
        whole = row[f"which{model}"] / row[f"reserved{model}"]
        assert row[f"new pair{model}"] == pytest.approx(whole, rel=1e-4)


def test_held_out_sentences_are_not_in_the_training_set():
    train, held_out = new_pairs.split(0, 700)
    assert (len(train), len(held_out)) == (700, 200)
    sentences = {tuple(sentence) for sentence in new_pairs.prose()}
    assert len(sentences) == 2000
    more, same = new_pairs.split(0)
    assert len(more) == 1800 and [len(s) for s in same] == [len(s) for s in held_out]
