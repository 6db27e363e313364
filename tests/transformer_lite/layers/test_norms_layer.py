"""Laws of layer normalization. B, T and D all differ; VECTOR distinguishes them."""

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

from transformer_lite import LayerNorm, layer_norm
from transformer_lite.layers.norms import layer_norm_steps


def stepwise(*args, **kwargs):
    return layer_norm_steps(*args, **kwargs).output


both_forms = pytest.mark.parametrize("normalize", [stepwise, layer_norm])


def test_every_step_equals_its_formula(normal):
    x, weight, bias = normal(B, T, D), normal(D), normal(D)
    steps = layer_norm_steps(x, weight, bias, eps=0.1)
    assert_close(steps.mean, x.sum(-1, keepdim=True) / D)
    assert torch.equal(steps.centered, x - steps.mean)
    assert_close(steps.variance, (steps.centered**2).sum(-1, keepdim=True) / D)
    assert_close(steps.std, (steps.variance + 0.1) ** 0.5)
    assert torch.equal(steps.normalized, steps.centered / steps.std)
    assert_close(steps.output, steps.normalized * weight + bias)


@both_forms
@every_dtype
@pytest.mark.parametrize("eps", [1e-5, 1e-3, 1])
@pytest.mark.parametrize("with_weight", [True, False])
@pytest.mark.parametrize("with_bias", [True, False])
def test_both_forms_equal_torch(normalize, eps, with_weight, with_bias, normal):
    names = ["weight"] * with_weight + ["bias"] * with_bias

    def ours(x, *affine):
        return normalize(x, **dict(zip(names, affine, strict=True)), eps=eps)

    def theirs(x, *affine):
        return F.layer_norm(x, (D,), **dict(zip(names, affine, strict=True)), eps=eps)

    assert_agree(ours, theirs, normal(B, T, D) + 3, *(normal(D) for _ in names))


sizes = st.integers(1, 6)


@given(shape=st.lists(sizes, min_size=1, max_size=4), seed=st.integers(0, 10_000))
def test_steps_equal_fused_for_any_shape(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    x, weight, bias = (
        torch.randn(size, generator=generator, dtype=torch.float64)
        for size in (shape, shape[-1:], shape[-1:])
    )
    assert_close(stepwise(x, weight, bias), layer_norm(x, weight, bias))


@both_forms
def test_the_laws_of_every_form(normalize, normal):
    assert_laws(normalize, normal(B, T, D), normal(D), normal(D))
    assert_laws_of_tokens(normalize, normal(B, T, D))


@every_dtype
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_the_module_equals_torch_and_loads_its_weights(bias, training, normal, dtype):
    theirs = with_random_parameters(nn.LayerNorm(D, eps=1e-3, bias=bias).to(dtype))
    ours = LayerNorm(D, eps=1e-3, bias=bias).to(dtype)
    ours.load_state_dict(theirs.state_dict())
    assert_modules_agree(ours.train(training), theirs.train(training), normal(B, T, D))


def test_missing_bias_is_none():
    shapes = {name: tuple(p.shape) for name, p in LayerNorm(D).named_parameters()}
    assert shapes == {"weight": (D,), "bias": (D,)}
    module = LayerNorm(D, bias=False)
    assert module.bias is None and "bias" in module._parameters
    assert set(module.state_dict()) == {"weight"}
