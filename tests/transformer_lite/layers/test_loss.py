"""Laws of one-hot vectors, smoothed targets and the loss; the loss against PyTorch's own."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from transformer_lite import cross_entropy
from transformer_lite.layers import one_hot, smoothed_targets

B, T, V = 2, 5, 7
IDS = torch.tensor([[1, 6, 0, 3, 3], [2, 5, 4, 0, 0]])

each_smoothing = pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.75])


# One-hot vectors


@pytest.mark.parametrize("shape", [(), (1,), (10,), (B, T), (2, 1, 5), (0,)], ids=str)
def test_one_hot_equals_torch(shape):
    ids = torch.randint(0, V, shape)
    for size in (V, V + 3):
        assert torch.equal(one_hot(ids, size), F.one_hot(ids, size).float())


# Smoothed targets


@each_smoothing
def test_smoothing_spreads_probability_uniformly(smoothing):
    targets = smoothed_targets(IDS, V, smoothing)
    assert targets.shape == (B, T, V)
    assert_close(targets.sum(dim=-1), torch.ones(B, T))
    right = targets.gather(-1, IDS[..., None])
    assert_close(right, torch.full_like(right, 1 - smoothing + smoothing / V))
    wrong = targets[one_hot(IDS, V) == 0]
    assert_close(wrong, torch.full_like(wrong, smoothing / V))


# The loss


def by_hand(logits, targets, smoothing, pad_id):
    """The mean of −Σ q log p over the targets that count."""
    q = smoothed_targets(targets, logits.shape[-1], smoothing).to(logits.dtype)
    surprise = -(q * logits.log_softmax(dim=-1)).sum(dim=-1)
    counted = torch.ones_like(targets).bool() if pad_id is None else targets != pad_id
    return surprise[counted].mean()


@each_smoothing
@pytest.mark.parametrize("pad_id", [None, 0, 3])
def test_the_loss_equals_its_formula_and_torch(smoothing, pad_id, normal):
    logits = normal(B, T, V).requires_grad_()
    loss = cross_entropy(logits, IDS, smoothing, pad_id)
    theirs = F.cross_entropy(
        logits.flatten(0, 1),
        IDS.flatten(),
        ignore_index=-100 if pad_id is None else pad_id,
        label_smoothing=smoothing,
    )
    formula = by_hand(logits, IDS, smoothing, pad_id)
    assert loss.shape == ()
    for expected in (theirs, formula):
        assert_close(loss, expected, atol=1e-6, rtol=1e-6)
        gradients = [torch.autograd.grad(v, logits, retain_graph=True) for v in (loss, expected)]
        assert_close(*gradients, atol=1e-6, rtol=1e-6)


@settings(max_examples=15)
@given(
    shape=st.lists(st.integers(1, 4), max_size=3),
    size=st.integers(1, 6),
    smoothing=st.floats(0, 0.99),
)
def test_the_loss_equals_its_formula_for_any_shape(shape, size, smoothing):
    logits = torch.randn(*shape, size, dtype=torch.float64)
    targets = torch.randint(0, size, shape)
    expected = by_hand(logits, targets, smoothing, None)
    assert_close(cross_entropy(logits, targets, smoothing), expected, atol=1e-6, rtol=1e-6)


def test_padding_does_not_count(normal):
    logits = normal(B, T, V).requires_grad_()
    loss = cross_entropy(logits, IDS, 0.1, pad_id=0)
    changed = torch.where((IDS == 0)[..., None], 100 * normal(B, T, V), logits)
    assert torch.equal(cross_entropy(changed, IDS, 0.1, pad_id=0), loss)
    loss.backward()
    assert torch.equal((logits.grad == 0).all(dim=-1), IDS == 0)


def test_loss_of_padding_alone_is_nan():
    assert cross_entropy(torch.zeros(3, V), torch.zeros(3).long(), pad_id=0).isnan()
    assert cross_entropy(torch.zeros(0, V), torch.zeros(0).long()).isnan()


def test_without_a_pad_every_target_counts():
    logits = torch.zeros(101, 101)
    logits[0, 0] = 50.0
    # PyTorch ignores one id in any case. It must be none of the vocabulary.
    loss = cross_entropy(logits, torch.arange(101))
    assert loss.item() == pytest.approx(100 / 101 * math.log(101), rel=1e-5)
