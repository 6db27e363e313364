"""The fast search for the largest numbers of a row finds those that PyTorch finds."""

import pytest
import torch

from transformer_lite.fast.top import CHUNK, MANY, argmax, topk


@pytest.fixture(params=[8 * CHUNK, 200 * CHUNK, 200 * CHUNK + 1, 200 * CHUNK + CHUNK - 1])
def logits(request, normal):
    """Rows that are long enough for chunks, or too short, with and without a remainder."""
    return normal(1 + MANY // request.param, request.param).float()


@pytest.mark.parametrize("k", [1, 2, 4])
def test_it_equals_torchs_topk(logits, k):
    found, expected = topk(logits, k), logits.topk(k, dim=-1)
    assert torch.equal(found.values, expected.values)
    assert torch.equal(found.indices, expected.indices)
    rows = logits[None].expand(2, -1, -1)
    assert torch.equal(topk(rows, k).indices, expected.indices.expand(2, -1, -1))


def test_argmax_equals_torchs(logits):
    assert torch.equal(argmax(logits), logits.argmax(dim=-1))


@pytest.mark.parametrize("place", [0, CHUNK, -1])
def test_a_largest_number_anywhere_is_found(logits, place):
    logits[:, place] = 100.0
    expected = torch.full((len(logits),), place % logits.shape[1])
    assert torch.equal(argmax(logits), expected)
    assert torch.equal(topk(logits, 3).indices[:, 0], expected)


def test_of_equal_numbers_argmax_returns_the_first(logits):
    tied = logits.round()
    first = (tied == tied.amax(dim=-1, keepdim=True)).float().argmax(dim=-1)
    assert torch.equal(argmax(tied), first)


def test_impossible_tokens_are_never_chosen_while_others_are_left(logits):
    logits[:, 3:] = -torch.inf
    assert topk(logits, 3).indices.sort().values.tolist() == [[0, 1, 2]] * len(logits)
