"""Laws of the normalizations. B, T and D all differ; VECTOR is one they can tell apart."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from transformer_lite import LayerNorm, batch_norm, layer_norm, layer_norm_steps, standardize

B, T, D = 2, 5, 7
# [2, 4, 6, 8] and [10, 12, 14, 16] normalize alike, so a wrong mean would not show in them.
VECTOR = torch.tensor([2.0, -1.0, 3.5, -0.5, 4.2], dtype=torch.float64)


def stepwise(*args, **kwargs):
    return layer_norm_steps(*args, **kwargs).output


both_forms = pytest.mark.parametrize("normalize", [stepwise, layer_norm])


def test_every_step_is_the_one_the_formula_names(normal):
    x, weight, bias = normal(B, T, D), normal(D), normal(D)
    steps = layer_norm_steps(x, weight, bias, eps=0.1)
    assert_close(steps.mean, x.sum(-1, keepdim=True) / D)
    assert torch.equal(steps.centered, x - steps.mean)
    assert_close(steps.variance, (steps.centered**2).sum(-1, keepdim=True) / D)
    assert_close(steps.std, (steps.variance + 0.1) ** 0.5)
    assert torch.equal(steps.normalized, steps.centered / steps.std)
    assert_close(steps.output, steps.normalized * weight + bias)


@both_forms
@pytest.mark.parametrize("eps", [1e-5, 1e-3, 1])
@pytest.mark.parametrize("with_weight", [True, False])
@pytest.mark.parametrize("with_bias", [True, False])
def test_both_forms_equal_torch(normalize, eps, with_weight, with_bias, normal):
    x = 0.1 * normal(B, T, D) + 3
    weight = normal(D) if with_weight else None
    bias = normal(D) if with_bias else None
    assert_close(normalize(x, weight, bias, eps), F.layer_norm(x, (D,), weight, bias, eps))


@both_forms
def test_eps_is_a_hundred_thousandth_unless_told_otherwise(normalize):
    x = VECTOR * 1e-3
    assert_close(normalize(x), F.layer_norm(x, (5,), eps=1e-5))


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
def test_every_token_gets_mean_0_and_variance_1(normalize, normal):
    y = normalize(4 * normal(B, T, D) - 2)
    assert_close(y.mean(-1), torch.zeros(B, T).to(y), atol=1e-6, rtol=0)
    assert_close(y.var(-1, correction=0), torch.ones(B, T).to(y), atol=1e-4, rtol=0)


@both_forms
def test_a_shift_and_a_positive_scale_do_not_show(normalize):
    expected = normalize(VECTOR, eps=0.0)
    assert_close(normalize(VECTOR + 12, eps=0.0), expected)
    assert_close(normalize(VECTOR * 12, eps=0.0), expected)
    assert_close(normalize(VECTOR * -12, eps=0.0), -expected)
    # With eps, a scale shows a little: eps weighs more against a smaller variance.
    assert_close(normalize(VECTOR * 12), expected, atol=1e-5, rtol=0)
    assert normalize(VECTOR * 1e-3).abs().max() < 0.9 * expected.abs().max()


@both_forms
def test_the_known_vector(normalize):
    # By hand: mean 8.2/5 = 1.64; variance 35.14/5 − 1.64² = 4.3384; its root 2.0829.
    expected = torch.tensor([0.1728, -1.2675, 0.8930, -1.0274, 1.2291], dtype=torch.float64)
    assert_close(normalize(VECTOR), expected, atol=5e-5, rtol=0)


@both_forms
def test_a_constant_row_becomes_the_bias(normalize, normal):
    bias = normal(D)
    x = torch.full((T, D), 3.0).to(bias).requires_grad_()
    y = normalize(x, None, bias)
    assert_close(y, bias.expand(T, D))
    y.square().sum().backward()
    assert x.grad.isfinite().all()


@both_forms
def test_eps_stands_inside_the_root(normalize):
    eps = 0.5
    centered, variance = VECTOR - VECTOR.mean(), VECTOR.var(correction=0)
    inside = centered / torch.sqrt(variance + eps)
    outside = centered / (torch.sqrt(variance) + eps)
    assert (inside - outside).abs().max() > 0.1
    assert_close(normalize(VECTOR, eps=eps), inside)
    assert_close(standardize(VECTOR, eps=eps), inside)


@both_forms
def test_tokens_do_not_see_each_other(normalize, normal):
    x = normal(B, T, D)
    before = normalize(x)
    changed = x.clone()
    changed[1, 3] = torch.nan
    after = normalize(changed)
    assert after[1, 3].isnan().all()
    after[1, 3] = before[1, 3]
    assert torch.equal(after, before)


@both_forms
def test_layer_norm_gradients_are_those_of_the_formula(normalize):
    inputs = [torch.randn(size, dtype=torch.float64) for size in ((B, T, D), D, D)]
    assert torch.autograd.gradcheck(normalize, [tensor.requires_grad_() for tensor in inputs])


def test_the_module_equals_torch_and_loads_its_weights(normal, dtype):
    theirs = nn.LayerNorm(D, eps=1e-3).to(dtype)
    nn.init.normal_(theirs.weight)
    nn.init.normal_(theirs.bias)
    ours = LayerNorm(D, eps=1e-3).to(dtype)
    ours.load_state_dict(theirs.state_dict())
    x = 0.1 * normal(B, T, D)
    assert_close(ours(x), theirs(x))
    ours(x).square().sum().backward()
    theirs(x).square().sum().backward()
    assert_close(ours.weight.grad, theirs.weight.grad)
    assert_close(ours.bias.grad, theirs.bias.grad)


def test_a_fresh_module_changes_nothing_but_mean_and_variance(normal, dtype):
    x = 0.01 * normal(B, T, D)
    assert torch.equal(LayerNorm(D).to(dtype)(x), layer_norm(x))


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("unbiased", [True, False])
def test_standardize_uses_the_axis_and_the_variance_asked_for(dim, unbiased, normal):
    x = normal(B, T, D)
    n = x.shape[dim]
    centered = x - x.sum(dim, keepdim=True) / n
    variance = centered.square().sum(dim, keepdim=True) / (n - 1 if unbiased else n)
    assert_close(standardize(x, dim, unbiased=unbiased), centered / variance.sqrt())


def test_standardize_divides_by_n_and_adds_no_eps_unless_told_otherwise():
    assert_close(standardize(VECTOR * 1e-6), standardize(VECTOR, dim=-1, eps=0.0, unbiased=False))
    assert standardize(torch.full((D,), 3.0)).isnan().all()


@pytest.mark.parametrize("shape", [(B, D), (B, T, D)])
def test_batch_norm_equals_torch_in_training(shape, normal):
    x = 0.1 * normal(*shape) + 3
    rows = x.reshape(-1, D)
    theirs = F.batch_norm(rows, None, None, training=True, eps=1e-3).reshape(shape)
    assert_close(batch_norm(x, eps=1e-3), theirs, atol=1e-5, rtol=1e-5)
    module = nn.BatchNorm1d(D).to(x)
    assert_close(batch_norm(x), module(rows).reshape(shape), atol=1e-5, rtol=1e-5)


def test_batch_norm_ignores_pads(normal):
    x = normal(B, T, D)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]]).bool()
    expected = batch_norm(x[mask])
    assert_close(batch_norm(x, mask)[mask], expected)
    filled = x.masked_fill(~mask[..., None], torch.nan)
    assert_close(batch_norm(filled, mask)[mask], expected)
    assert not torch.allclose(batch_norm(x)[mask], expected)


def test_batch_norm_transforms_pads_like_real_tokens(normal):
    x, mask = normal(T, D), torch.tensor([1, 1, 0, 1, 1]).bool()
    mean, variance = x[mask].mean(0), x[mask].var(0, correction=0)
    assert_close(batch_norm(x, mask, eps=0.1), (x - mean) / torch.sqrt(variance + 0.1))


@pytest.mark.parametrize("masked", [True, False])
def test_batch_norm_gradients_are_those_of_the_formula(masked):
    x = torch.randn(B, T, D, dtype=torch.float64, requires_grad=True)
    mask = torch.rand(B, T) < 0.7 if masked else None
    assert torch.autograd.gradcheck(lambda x: batch_norm(x, mask), [x])


def test_batch_and_layer_norm_use_different_axes(normal):
    x = normal(B, T, D)
    assert_close(batch_norm(x.mT, eps=0.0), standardize(x.mT.reshape(-1, T), 0).reshape(B, D, T))
    assert not torch.allclose(batch_norm(x), layer_norm(x), atol=0.1)
