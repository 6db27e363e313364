"""Laws of the token embedding: look up, scale by √D, add positions, drop."""

import math

import pytest
import torch
from torch.testing import assert_close

from transformer_lite import TokenEmbedding, sinusoidal_positions
from transformer_lite.layers.positions import ALiBi, LearnedPositions, SinusoidalPositions

V, D = 7, 12
IDS = torch.tensor([[1, 2, 3, 6, 0], [4, 4, 1, 0, 0]])


def test_every_vector_is_scaled_by_the_root_of_the_width(dtype):
    embedding = TokenEmbedding(V, D).to(dtype)
    expected = embedding.table.weight[IDS] * math.sqrt(D)
    assert embedding(IDS).dtype == dtype
    assert_close(embedding(IDS), expected)


def test_the_scaled_entries_start_with_variance_1():
    vectors = TokenEmbedding(500, 64)(torch.arange(500)[None])
    assert vectors.mean().item() == pytest.approx(0, abs=0.02)
    assert vectors.var().item() == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize("start", [0, 3])
def test_positions_are_added_after_scaling(start, dtype):
    embedding = TokenEmbedding(V, D, SinusoidalPositions(D, max_len=16)).to(dtype)
    added = embedding(IDS, start) - embedding.table.weight[IDS] * math.sqrt(D)
    expected = sinusoidal_positions(5, D, start).float().to(dtype).expand(2, 5, D)
    assert_close(added, expected, atol=1e-6, rtol=0)


def test_a_scheme_that_acts_in_attention_does_not_change_the_embedding():
    plain, relative = TokenEmbedding(V, D), TokenEmbedding(V, D, ALiBi(3))
    relative.table.weight = plain.table.weight
    assert torch.equal(plain(IDS, start=4), relative(IDS, start=4))


def test_dropout_acts_on_the_sum_in_training_only():
    embedding = TokenEmbedding(V, D, LearnedPositions(D, max_len=40), dropout=0.25)
    ids = torch.randint(0, V, (30, 40))
    whole = embedding.eval()(ids)
    dropped = embedding.train()(ids)
    gone = dropped == 0
    assert gone.float().mean().item() == pytest.approx(0.25, abs=0.02)
    assert_close(dropped[~gone], whole[~gone] / 0.75, atol=1e-4, rtol=1e-4)
