"""What the network and the counts of the crossing sweep read, and how they are measured."""

import math

import torch
from torch import nn

from lessons.language_models.experiments import crossing


class Undecided(nn.Module):
    """A model of no opinion: all scores are 0."""

    def forward(self, tokens):
        return torch.zeros(*tokens.shape, 6)


def test_held_out_sentences_are_not_in_the_training_set():
    train, held_out = crossing.split(0, 700)
    assert (len(train), len(held_out)) == (700, 200)
    sentences = {tuple(sentence) for sentence in crossing.prose()}
    assert len(sentences) == 2000
    more, same = crossing.split(0)
    assert len(more) == 1800 and [len(s) for s in same] == [len(s) for s in held_out]


def test_words_of_one_occurrence_are_hidden_on_both_sides():
    train, held_out = crossing.split(1, 700)
    known = {word for sentence in train for word in sentence}
    assert crossing.UNKNOWN in known
    assert {word for sentence in held_out for word in sentence} <= known


def test_a_model_of_no_opinion_has_the_perplexity_of_a_die():
    rows = crossing.as_ids([["a", "b", "c"], ["a"]], crossing.numbered([["a", "b", "c"]]))
    assert math.isclose(crossing.perplexity(Undecided(), rows), 6, rel_tol=1e-5)


def test_the_rate_rises_stays_and_falls_with_the_root():
    assert crossing.rate(25) == crossing.PEAK / 2
    assert crossing.rate(100) == crossing.rate(300) == crossing.PEAK
    assert math.isclose(crossing.rate(1200), crossing.PEAK / 2)
