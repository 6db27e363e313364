"""Laws of RMS normalization: it looks at the size of a token and not at its mean."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from norm_parity import (
    B,
    D,
    T,
    assert_agree,
    assert_laws,
    assert_laws_of_tokens,
    assert_modules_agree,
    every_dtype,
    with_random_parameters,
)
from torch import nn
from torch.testing import assert_close

from transformer_lite.layers.norms import RMSNorm, ZeroCenteredRMSNorm, rms_norm, rms_norm_steps


def stepwise(*args, **kwargs):
    return rms_norm_steps(*args, **kwargs).output


both_forms = pytest.mark.parametrize("normalize", [stepwise, rms_norm])


def test_every_step_equals_its_formula(normal):
    x, weight = normal(B, T, D), normal(D)
    steps = rms_norm_steps(x, weight, eps=0.1)
    assert_close(steps.mean_square, (x**2).sum(-1, keepdim=True) / D)
    assert_close(steps.rms, (steps.mean_square + 0.1) ** 0.5)
    assert torch.equal(steps.normalized, x / steps.rms)
    assert torch.equal(steps.output, steps.normalized * weight)


@both_forms
@every_dtype
@pytest.mark.parametrize("eps", [1e-5, 1e-3, 1])
def test_both_forms_equal_torch(normalize, eps, normal):
    for weight in ((), (normal(D),)):
        assert_agree(
            lambda x, *weight: normalize(x, *weight, eps=eps),
            lambda x, *weight: F.rms_norm(x, (D,), *weight, eps=eps),
            normal(B, T, D) + 3,
            *weight,
        )


@given(shape=st.lists(st.integers(1, 6), min_size=1, max_size=4), seed=st.integers(0, 10_000))
def test_steps_equal_fused_for_any_shape(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    x, weight = (
        torch.randn(size, generator=generator, dtype=torch.float64) for size in (shape, shape[-1:])
    )
    assert_close(stepwise(x, weight), rms_norm(x, weight))


@both_forms
def test_a_token_of_zeros_stays_zero_thanks_to_eps(normalize):
    x = torch.zeros(T, D, requires_grad=True)
    y = normalize(x)
    assert (y == 0).all()
    y.sum().backward()
    assert x.grad.isfinite().all()
    assert normalize(x, eps=0.0).isnan().all()


@both_forms
def test_the_laws_of_every_form(normalize, normal):
    assert_laws(normalize, normal(B, T, D), normal(D))
    assert_laws_of_tokens(normalize, normal(B, T, D))


@every_dtype
@pytest.mark.parametrize("training", [True, False])
def test_the_module_equals_torch_and_loads_its_weights(training, normal, dtype):
    theirs = with_random_parameters(nn.RMSNorm(D, eps=1e-3).to(dtype))
    ours = RMSNorm(D, eps=1e-3).to(dtype)
    ours.load_state_dict(theirs.state_dict())
    assert_modules_agree(ours.train(training), theirs.train(training), normal(B, T, D))


def test_the_zero_centered_gain_is_one_plus_the_weight(normal, dtype):
    norm, plain = ZeroCenteredRMSNorm(D, eps=0.1).to(dtype), RMSNorm(D, eps=0.1).to(dtype)
    x = normal(B, T, D)
    assert torch.equal(norm.weight, torch.zeros_like(norm.weight))
    assert torch.equal(norm(x), plain(x))
    nn.init.normal_(norm.weight)
    with torch.no_grad():
        plain.weight.copy_(1 + norm.weight)
    assert_close(norm(x), plain(x))


def test_the_zero_centered_norm_computes_half_precision_in_float32():
    torch.manual_seed(0)
    norm, x = ZeroCenteredRMSNorm(D).bfloat16(), torch.randn(B, T, D).bfloat16()
    nn.init.normal_(norm.weight)
    exact = rms_norm(x.double(), 1 + norm.weight.double())
    assert torch.equal(norm(x), exact.float().bfloat16())
    # A gain near 1 keeps fewer digits in bfloat16 than the small weight itself.
    assert not torch.equal(rms_norm(x, 1 + norm.weight), norm(x))
