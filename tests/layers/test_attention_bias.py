"""Laws of the additive bias of both forms of attention. B, H, T, S, K and W all differ."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from transformer_lite import attention_steps, scaled_dot_product_attention
from transformer_lite.layers import additive_mask

B, H, T, S, K, W = 2, 3, 5, 7, 4, 6


def stepwise(*args, **kwargs):
    return attention_steps(*args, **kwargs).output


both_forms = pytest.mark.parametrize("attend", [stepwise, scaled_dot_product_attention])
any_shape = pytest.mark.parametrize(
    "shape", [(S,), (1, S), (T, 1), (T, S), (H, 1, S), (H, T, S), (B, 1, 1, S), (B, H, T, S)]
)


@pytest.fixture
def qkv(normal):
    return normal(B, H, T, K), normal(B, H, S, K), normal(B, H, S, W)


@pytest.fixture
def mask():
    """A random mask whose rows all allow something, except row 3 of the second sequence."""
    mask = torch.rand(B, 1, T, S, generator=torch.Generator().manual_seed(8)) < 0.6
    mask[..., 2] = True
    mask[1, 0, 3] = False
    return mask


@both_forms
@any_shape
@pytest.mark.parametrize("scale", [None, 3])
def test_a_bias_is_what_torch_calls_a_float_mask(attend, shape, scale, qkv, normal):
    bias = 2 * normal(*shape)
    expanded = bias.expand(B, H, T, S)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=expanded, scale=scale)
    assert_close(attend(*qkv, scale=scale, bias=bias), theirs)
    if S in shape:  # otherwise all keys are raised alike, and softmax does not see it
        assert not torch.allclose(theirs, attend(*qkv, scale=scale), atol=1e-3)


@both_forms
@any_shape
def test_mask_and_bias_act_together(attend, shape, qkv, mask, normal):
    bias = 2 * normal(*shape)
    both = bias.expand(B, H, T, S).masked_fill(~mask, -torch.inf)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=both)
    assert_close(attend(*qkv, mask, bias=bias), theirs)


@both_forms
def test_a_mask_of_fewer_axes_than_the_bias_acts_on_all_of_them(attend, qkv, normal):
    bias, mask = normal(B, H, T, S), torch.arange(S) != 2
    expanded = mask.expand(B, H, T, S)
    assert_close(attend(*qkv, mask, bias=bias), attend(*qkv, expanded, bias=bias))


def test_the_steps_show_the_bias_after_the_scaling(qkv, mask, normal):
    bias = normal(H, T, S)
    steps = attention_steps(*qkv, mask=mask, scale=0.25, bias=bias)
    assert torch.equal(steps.scaled, 0.25 * steps.scores)
    allowed = mask.expand(B, H, T, S)
    assert torch.equal(steps.masked[allowed], (steps.scaled + bias)[allowed])
    assert (steps.masked[~allowed] == -torch.inf).all()
    assert_close(steps.weights, steps.masked.softmax(-1).nan_to_num(0.0))
    assert torch.equal(attention_steps(*qkv, bias=bias).masked, steps.scores / 2 + bias)


@both_forms
def test_a_bias_of_minus_infinity_hides_a_key(attend, qkv):
    mask = torch.tensor([1, 0, 1, 1, 0, 0, 1]).bool()
    assert_close(attend(*qkv, bias=additive_mask(mask, qkv[0].dtype)), attend(*qkv, mask))


@both_forms
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_are_those_of_the_formula(attend, masked, mask):
    shapes = ((B, H, T, K), (B, H, S, K), (B, H, S, W), (H, T, S))
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    mask = mask if masked else None

    def biased(query, key, value, bias):
        return attend(query, key, value, mask, bias=bias)

    assert torch.autograd.gradcheck(biased, inputs, fast_mode=True)


@both_forms
def test_a_fully_masked_row_teaches_its_bias_nothing(attend, qkv, mask, normal):
    bias = normal(B, H, T, S).requires_grad_()
    attend(*qkv, mask, bias=bias).sum().backward()
    assert (bias.grad[1, :, 3] == 0).all()
    assert (bias.grad[~mask.expand(B, H, T, S)] == 0).all()
    assert bias.grad.isfinite().all()
    assert bias.grad.any()


@both_forms
def test_nan_in_the_bias_passes_through(attend, qkv, normal):
    bias = normal(T, S)
    bias[3, 4] = torch.nan
    output = attend(*qkv, bias=bias)
    assert output[:, :, 3].isnan().all()
    assert output[:, :, :3].isfinite().all()


def test_dropout_falls_on_the_biased_weights(normal):
    query, key, value = normal(40, K), normal(50, K), torch.eye(50).to(normal(1))
    bias = normal(40, 50)
    weights = attention_steps(query, key, value, bias=bias).weights
    dropped = scaled_dot_product_attention(query, key, value, dropout=0.25, bias=bias)
    gone = dropped == 0
    assert 0.2 < gone.double().mean() < 0.3
    assert_close(dropped[~gone], weights[~gone] / 0.75)
