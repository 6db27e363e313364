"""Laws of batch normalization: statistics down a column, over the real tokens only."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from norm_parity import (
    REAL,
    B,
    D,
    T,
    assert_agree,
    assert_laws,
    assert_modules_agree,
    close,
    every_dtype,
    with_random_parameters,
)
from torch import nn
from torch.testing import assert_close

from transformer_lite.layers.norms import BatchNorm, batch_norm, standardize

AVERAGES = ("running_mean", "running_var")


def pair(dtype, **options):
    """Our module and torch's, with the same random parameters."""
    theirs = with_random_parameters(nn.BatchNorm1d(D, **options).to(dtype))
    ours = BatchNorm(D, **options).to(dtype)
    ours.load_state_dict({n: v for n, v in theirs.state_dict().items() if "tracked" not in n})
    return ours, theirs


# The function


@every_dtype
@pytest.mark.parametrize("shape", [(B * T, D), (B, T, D), (3, B, T, D)])
def test_batch_norm_equals_torch_in_training(shape, normal):
    def theirs(x, eps=1e-5):
        rows = x.reshape(-1, D)
        return F.batch_norm(rows, None, None, training=True, eps=eps).reshape(shape)

    x = normal(*shape) + 3
    assert_agree(batch_norm, theirs, x)
    assert_agree(lambda x: batch_norm(x, eps=0.1), lambda x: theirs(x, eps=0.1), x)


@given(shape=st.lists(st.integers(1, 5), min_size=2, max_size=4), seed=st.integers(0, 10_000))
def test_batch_norm_standardizes_every_feature_for_any_shape(shape, seed):
    torch.manual_seed(seed)
    x, mask = torch.randn(shape, dtype=torch.float64), torch.rand(shape[:-1]) < 0.7
    rows = x.reshape(-1, shape[-1])
    assert_close(batch_norm(x, eps=0.1), standardize(rows, 0, eps=0.1).reshape(shape))
    if mask.any():
        assert_close(batch_norm(x, mask, eps=0.1)[mask], standardize(x[mask], 0, eps=0.1))


def test_batch_norm_ignores_pads(normal):
    x = normal(B, T, D)
    expected = batch_norm(x[REAL])
    assert_close(batch_norm(x, REAL)[REAL], expected)
    filled = x.masked_fill(~REAL[..., None], torch.nan)
    assert_close(batch_norm(filled, REAL)[REAL], expected)
    assert not torch.allclose(batch_norm(x)[REAL], expected)


@pytest.mark.parametrize("mask", [None, REAL], ids=["unmasked", "masked"])
def test_the_laws_of_every_form(mask, normal):
    assert_laws(lambda x: batch_norm(x, mask), normal(B, T, D))


# The module


@every_dtype
@pytest.mark.parametrize("shape", [(T, D), (B, T, D)])
@pytest.mark.parametrize("momentum", [0, 0.1, 0.7, 1])
def test_the_module_equals_torch_in_training_and_evaluation(shape, momentum, normal, dtype):
    ours, theirs = pair(dtype, eps=1e-3, momentum=momentum)

    def flat(x):
        return theirs(x.reshape(-1, D)).reshape(shape)

    flat.parameters = theirs.parameters  # type: ignore[attr-defined] # like a module
    for step in range(3):
        assert_modules_agree(ours, flat, step + 2 * normal(*shape))
        for name in AVERAGES:
            close(getattr(ours, name), getattr(theirs, name))
    ours.eval()
    theirs.eval()
    assert_modules_agree(ours, flat, normal(*shape))


@every_dtype
def test_with_a_mask_it_equals_torch_on_the_real_tokens(normal, dtype):
    ours, theirs = pair(dtype)
    for training in (True, False):
        ours.train(training)
        theirs.train(training)
        x = 1 + 2 * normal(B, T, D)
        mine, yours = x.detach().requires_grad_(), x.detach().requires_grad_()
        output, expected = ours(mine, mask=REAL)[REAL], theirs(yours[REAL])
        close(output, expected)
        for module in (ours, theirs):
            module.zero_grad()
        output.square().sum().backward()
        expected.square().sum().backward()
        close(mine.grad, yours.grad)
        close(ours.weight.grad, theirs.weight.grad)
        close(ours.bias.grad, theirs.bias.grad)
        for name in AVERAGES:
            close(getattr(ours, name), getattr(theirs, name))


def test_evaluation_uses_and_keeps_running_averages(normal, dtype):
    module = pair(dtype)[0]
    module(normal(B, T, D))
    module.eval()
    before = [getattr(module, name).clone() for name in AVERAGES]
    x = normal(B, T, D)
    assert_close(module(x)[1, 3], module(x[1:2, 3])[0])
    assert_close(module(x, REAL), module(x))
    assert_close([getattr(module, name) for name in AVERAGES], before)


def test_failed_call_does_not_change_the_averages():
    module = BatchNorm(D)
    with pytest.raises(ValueError, match="at least 2 real tokens in training, got 1"):
        module(torch.ones(1, D))
    assert torch.equal(module.running_mean, torch.zeros(D))
