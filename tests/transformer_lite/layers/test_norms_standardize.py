"""Laws of z-scores and min–max scaling."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from norm_parity import VECTOR, B, D, T, assert_agree, every_dtype
from torch.testing import assert_close

from transformer_lite.layers.norms import min_max, standardize

numbers = st.lists(st.integers(-50, 50), min_size=2, max_size=6, unique=True)


def row(values):
    return torch.tensor(values, dtype=torch.float64)


@every_dtype
@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("unbiased", [True, False])
def test_standardize_uses_the_axis_and_the_variance_asked_for(dim, unbiased, normal):
    def formula(x):
        n = x.shape[dim]
        centered = x - x.sum(dim, keepdim=True) / n
        variance = centered.square().sum(dim, keepdim=True) / (n - 1 if unbiased else n)
        return centered / variance.sqrt()

    x = normal(7, T, D)  # few numbers lie close together now and then, and bfloat16 suffers
    assert_agree(lambda x: standardize(x, dim, unbiased=unbiased), formula, x)


def test_standardize_divides_by_n_and_adds_no_eps_by_default():
    assert_close(standardize(VECTOR * 1e-6), standardize(VECTOR, dim=-1, eps=0.0, unbiased=False))
    assert standardize(torch.full((D,), 3.0)).isnan().all()
    assert torch.equal(standardize(torch.full((D,), 3.0), eps=1e-5), torch.zeros(D))


@given(values=numbers, shift=st.integers(-20, 20), scale=st.integers(1, 9))
def test_standardize_ignores_units(values, shift, scale):
    x = row(values)
    for function in (standardize, min_max):
        assert_close(function(scale * x + shift), function(x))
    assert_close(standardize(-scale * x), -standardize(x))
    assert_close(min_max(-scale * x), 1 - min_max(x))


@given(values=numbers)
def test_min_max_maps_to_0_and_1(values):
    y = min_max(row(values))
    low, high = min(values), max(values)
    assert y[values.index(low)] == 0 and y[values.index(high)] == 1
    assert_close(y, row([(value - low) / (high - low) for value in values]))


@every_dtype
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_min_max_uses_the_axis_asked_for(dim, normal):
    def formula(x):
        low, high = x.amin(dim, keepdim=True), x.amax(dim, keepdim=True)
        return (x - low) / (high - low)

    assert_agree(lambda x: min_max(x, dim), formula, normal(B, T, D))
