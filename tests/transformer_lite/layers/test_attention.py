"""Laws of the attention functions and their bias. B, H, T, S, K and W (of value) all differ."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from transformer_lite import (
    attention_steps,
    look_ahead_mask,
    masked_softmax,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)

B, H, T, S, K, W = 2, 3, 5, 7, 4, 6


def stepwise(*args, **kwargs):
    return attention_steps(*args, **kwargs).output


both_forms = pytest.mark.parametrize("attend", [stepwise, scaled_dot_product_attention])
SHAPES = [(S,), (1, S), (T, 1), (T, S), (H, 1, S), (H, T, S), (B, 1, 1, S), (B, H, T, S)]
any_shape = pytest.mark.parametrize("shape", SHAPES)


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


def test_every_step_equals_its_formula(qkv, mask):
    query, key, value = qkv
    steps = attention_steps(query, key, value, mask)
    assert_close(steps.scores, torch.einsum("bhtk,bhsk->bhts", query, key))
    assert_close(steps.scaled, steps.scores / K**0.5)
    allowed = mask.expand_as(steps.scaled)
    assert torch.equal(steps.masked[allowed], steps.scaled[allowed])
    assert (steps.masked[~allowed] == -torch.inf).all()
    exp = steps.masked.exp()
    assert_close(steps.weights, exp / exp.sum(-1, keepdim=True).clamp_min(1e-30))
    assert_close(steps.output, torch.einsum("bhts,bhsw->bhtw", steps.weights, value))


@both_forms
@pytest.mark.parametrize("scale", [None, 1.0, 0.25, 3])
def test_both_forms_equal_torch(attend, scale, qkv, mask):
    ours = attend(*qkv, mask, scale)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=mask, scale=scale)
    alive = mask.any(-1, keepdim=True)
    assert_close(ours, theirs.masked_fill(~alive, 0.0))
    assert_close(attend(*qkv, None, scale), F.scaled_dot_product_attention(*qkv, scale=scale))


sizes = st.integers(1, 6)


@given(
    leading=st.lists(sizes, max_size=2), t=sizes, s=sizes, k=sizes, w=sizes,
    share=st.sampled_from([0.0, 0.3, 0.7, 1.0]), seed=st.integers(0, 10_000),
    dtype=st.sampled_from([torch.float32, torch.float64]), masked=st.booleans(),
)  # fmt: skip
def test_steps_equal_fused_for_any_shape(leading, t, s, k, w, share, seed, dtype, masked):
    generator = torch.Generator().manual_seed(seed)
    query, key, value = (
        torch.randn(*leading, *shape, generator=generator, dtype=dtype)
        for shape in ((t, k), (s, k), (s, w))
    )
    mask = torch.rand(*leading, t, s, generator=generator) < share if masked else None
    steps = attention_steps(query, key, value, mask)
    fused = scaled_dot_product_attention(query, key, value, mask)
    assert_close(steps.output, fused, atol=1e-6, rtol=1e-6)
    alive = mask.any(-1).to(dtype) if masked else torch.ones(*leading, t, dtype=dtype)
    assert_close(steps.weights.sum(-1), alive)
    assert (steps.weights >= 0).all()


@both_forms
@pytest.mark.parametrize("shape", [(), *SHAPES])
def test_a_mask_of_any_broadcastable_shape_acts_like_its_expansion(attend, shape, qkv):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(3)) < 0.5
    assert torch.equal(attend(*qkv, mask), attend(*qkv, mask.expand(B, H, T, S)))


@both_forms
def test_gradients_pass_gradcheck(attend, mask):
    generator = torch.Generator().manual_seed(1)
    shapes = ((B, H, T, K), (B, H, S, K), (B, H, S, W))
    inputs = [
        torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
        for shape in shapes
    ]
    assert torch.autograd.gradcheck(lambda *qkv: attend(*qkv, mask), inputs, fast_mode=True)


def test_masked_softmax_is_the_softmax_of_the_allowed_entries_alone(normal):
    scores = normal(S)
    scores[4] = 100.0  # the largest score is a forbidden one
    mask = torch.tensor([1, 0, 1, 1, 0, 0, 1]).bool()
    weights = masked_softmax(scores, mask)
    assert_close(weights[mask], scores[mask].softmax(-1))
    assert (weights[~mask] == 0).all()


def test_masked_softmax_does_not_overflow_and_ignores_a_shift(normal):
    scores, mask = normal(T, S), torch.rand(T, S) < 0.5
    assert_close(
        masked_softmax(scores + 1e4, mask), masked_softmax(scores, mask), atol=2e-3, rtol=0
    )
    assert masked_softmax(scores * 1e30, mask).isfinite().all()


@both_forms
def test_the_future_cannot_change_the_past(attend, normal):
    query, key, value = normal(B, H, T, K), normal(B, H, T, K), normal(B, H, T, W)
    before = attend(query, key, value, look_ahead_mask(T))
    for t in range(1, T):
        changed = [tensor.clone() for tensor in (query, key, value)]
        for tensor in changed:
            tensor[:, :, t:] += 10.0
        after = attend(*changed, look_ahead_mask(T))
        assert torch.equal(after[:, :, :t], before[:, :, :t])
        assert not torch.equal(after[:, :, t:], before[:, :, t:])


@both_forms
def test_nan_in_an_allowed_input_passes_through(attend, qkv):
    query, key, value = qkv
    query[0, 0, 1, 0] = torch.nan
    output = attend(query, key, value)
    assert output[0, 0, 1].isnan().all()
    output[0, 0, 1] = 0.0
    assert output.isfinite().all()
    key[0, 1, 2, 3] = torch.nan
    assert attend(query, key, value)[0, 1].isnan().all()


def test_nan_in_a_forbidden_key_stays_out(qkv):
    query, key, value = qkv
    key[..., 2, :] = torch.nan
    mask = torch.arange(S) != 2
    assert attention_steps(query, key, value, mask).output.isfinite().all()


@pytest.mark.parametrize("given", ["nothing", "mask", "bias"])
def test_dropout_rescales_the_kept_weights(given, normal):
    qkv = normal(1, 40, K), normal(1, 50, K), torch.eye(50).to(normal(1))[None]
    mask = torch.ones(40, 50, dtype=torch.bool) if given == "mask" else None
    bias = normal(40, 50) if given == "bias" else None
    weights = attention_steps(*qkv, mask, bias=bias).weights
    dropped = scaled_dot_product_attention(*qkv, mask, dropout=0.25, bias=bias)
    gone = dropped == 0
    assert 0.2 < gone.double().mean() < 0.3
    assert_close(dropped[~gone], weights[~gone] / 0.75)


# What rounding costs, for inputs of size 1: numbers in bfloat16 have 8 digits in base 2.
BOUNDS = {torch.float64: 1e-10, torch.float32: 1e-5, torch.bfloat16: 0.05, torch.float16: 0.006}


@both_forms
@pytest.mark.parametrize("kind", BOUNDS, ids=str)
def test_every_precision_is_within_its_bound_of_the_formula(attend, kind, mask):
    query, key, value = (torch.randn(B, H, n, K, dtype=kind) for n in (T, S, S))
    output = attend(query, key, value, mask)
    assert output.dtype == kind
    scores = query.double() @ key.double().mT / K**0.5
    exp = scores.exp() * mask
    exact = exp / exp.sum(-1, keepdim=True).clamp_min(1e-30) @ value.double()
    assert_close(output.double(), exact, atol=BOUNDS[kind], rtol=0)


def test_splitting_gives_head_h_its_own_columns(normal):
    x = normal(B, T, H * K)
    heads = split_heads(x, H)
    assert heads.shape == (B, H, T, K)
    for h in range(H):
        assert torch.equal(heads[:, h], x[..., h * K : (h + 1) * K])
    assert torch.equal(merge_heads(heads), x)


# An additive bias


@both_forms
@any_shape
@pytest.mark.parametrize("scale", [None, 3])
def test_a_bias_equals_a_float_mask_of_torch(attend, shape, scale, qkv, normal):
    bias = 2 * normal(*shape)
    expanded = bias.expand(B, H, T, S)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=expanded, scale=scale)
    assert_close(attend(*qkv, scale=scale, bias=bias), theirs)
    if S in shape:  # otherwise all keys are raised by the same number, which softmax ignores
        assert not torch.allclose(theirs, attend(*qkv, scale=scale), atol=1e-3)


@both_forms
@any_shape
def test_mask_and_bias_act_together(attend, shape, qkv, mask, normal):
    bias = 2 * normal(*shape)
    both = bias.expand(B, H, T, S).masked_fill(~mask, -torch.inf)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=both)
    assert_close(attend(*qkv, mask, bias=bias), theirs)


@both_forms
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_through_a_bias_pass_gradcheck(attend, masked, mask):
    shapes = ((B, H, T, K), (B, H, S, K), (B, H, S, W), (H, T, S))
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    mask = mask if masked else None

    def biased(query, key, value, bias):
        return attend(query, key, value, mask, bias=bias)

    assert torch.autograd.gradcheck(biased, inputs, fast_mode=True)


@both_forms
def test_a_fully_masked_row_gives_its_bias_no_gradient(attend, qkv, mask, normal):
    bias = normal(B, H, T, S).requires_grad_()
    attend(*qkv, mask, bias=bias).sum().backward()
    assert (bias.grad[1, :, 3] == 0).all()
    assert (bias.grad[~mask.expand(B, H, T, S)] == 0).all()
    assert bias.grad.isfinite().all()
    assert bias.grad.any()


LOWEST = torch.finfo(torch.float64).min


@pytest.mark.parametrize(
    ("scores", "mask", "expected"),
    [
        ([LOWEST, 1.0], [True, False], [1.0, 0.0]),
        ([LOWEST, LOWEST], [True, True], [0.5, 0.5]),
        ([LOWEST, LOWEST, 0.0], [True, True, False], [0.5, 0.5, 0.0]),
        ([-torch.inf, 5.0, 3.0], [True, False, False], [0.0, 0.0, 0.0]),
        ([-torch.inf, -torch.inf], [True, True], [0.0, 0.0]),
        ([-torch.inf, 2.0, torch.nan], [True, True, False], [0.0, 1.0, 0.0]),
        ([torch.inf, 2.0], [False, True], [0.0, 1.0]),
    ],
)
def test_rows_at_the_ends_of_the_number_range(scores, mask, expected):
    row = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    weights = masked_softmax(row, torch.tensor(mask))
    assert weights.tolist() == expected
    weights[0].backward()
    assert row.grad.isfinite().all()
    if all(mask):
        assert torch.equal(masked_softmax(row), weights)


@pytest.mark.parametrize("row", [[-torch.inf] * S, [-torch.inf, *[0.5] * (S - 1)]])
def test_a_bias_of_minus_infinity_forbids_like_a_mask(row, qkv, mask):
    bias = torch.tensor(row).to(qkv[0])
    for masked in (None, mask):
        ours = stepwise(*qkv, masked, bias=bias)
        assert_close(ours, scaled_dot_product_attention(*qkv, mask=masked, bias=bias))
        both = bias.isfinite() if masked is None else masked & bias.isfinite()
        assert_close(ours, stepwise(*qkv, both, bias=bias.masked_fill(bias.isinf(), 0.0)))


def test_nan_of_a_masked_key_stays_nan_in_the_fused_form_only(qkv):
    query, key, value = (tensor.clone() for tensor in qkv)
    key[..., 2, :] = torch.nan
    mask = torch.arange(S) != 2
    assert stepwise(query, key, value, mask).isfinite().all()
    assert scaled_dot_product_attention(query, key, value, mask).isnan().all()
