"""Positions inside multi-head attention: they act on self-attention, by the distance alone."""

import pytest
import torch
from relative_attention import SCHEMES, B, D, H, K, S, T, attention
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, look_ahead_mask, padding_mask
from transformer_lite.layers.positions import (
    alibi_slopes,
    rotate_half_split,
    t5_buckets,
)

each_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def without_positions(module: MultiHeadAttention) -> MultiHeadAttention:
    bare = MultiHeadAttention(D, H).to(module.q_proj.weight).eval()
    bare.load_state_dict(module.state_dict(), strict=False)
    return bare


@each_scheme
@pytest.mark.parametrize("before", [1, 3, 40])
def test_scores_depend_on_the_distance_alone(scheme, before, normal, dtype):
    module = attention(scheme, dtype)
    x = normal(B, T, D)
    later = torch.cat([normal(B, before, D), x], dim=1)
    scores = module.steps(x).masked
    assert_close(module.steps(later).masked[..., before:, before:], scores, atol=1e-5, rtol=1e-5)
    plain = without_positions(module).steps(x).masked
    assert not torch.isclose(scores, plain).all(dim=-1).any()


@pytest.mark.parametrize("bidirectional", [True, False])
def test_t5_adds_a_learned_number_for_each_distance(bidirectional, normal):
    module = attention("t5" if bidirectional else "t5 causal").to(normal(1))
    table, settings = module.positions.table.weight, module.positions.buckets
    steps = module.steps(normal(B, T, D))
    for h in range(H):
        for i in range(T):
            for j in range(T):
                bucket = t5_buckets(torch.tensor(j - i), *settings)
                expected = steps.scores[:, h, i, j] / K**0.5 + table[bucket, h]
                assert_close(steps.masked[:, h, i, j], expected)


def test_shaw_adds_a_learned_vector_to_each_key(normal):
    module = attention("shaw").to(normal(1))
    x, table = normal(B, T, D), module.positions.table.weight
    (query, key, _), scores = module.project(x), module.steps(x).masked
    for i in range(T):
        for j in range(T):
            vector = table[min(max(j - i, -2), 2) + 2]
            expected = (query[:, :, i] * (key[:, :, j] + vector)).sum(-1) / K**0.5
            assert_close(scores[..., i, j], expected)


def test_alibi_subtracts_the_distance(normal):
    module = attention("alibi").to(normal(1))
    steps = module.steps(normal(B, T, D))
    for h, slope in enumerate(alibi_slopes(H).tolist()):
        for i in range(T):
            for j in range(T):
                expected = steps.scores[:, h, i, j] / K**0.5 - slope * abs(i - j)
                assert_close(steps.masked[:, h, i, j], expected)


def test_rotary_turns_queries_and_keys_and_leaves_the_values(normal):
    module = attention("rotary").to(normal(1))
    x = normal(B, T, D)
    query, key, value = module.project(x)
    steps = module.steps(x)
    assert_close(steps.scores, rotate_half_split(query) @ rotate_half_split(key).mT)
    assert torch.equal(steps.masked, steps.scaled)
    assert_close(steps.output, steps.weights @ value)


@each_scheme
def test_attention_to_another_sequence_ignores_positions(scheme, normal):
    module = attention(scheme).to(normal(1))
    x, memory = normal(B, T, D), normal(B, S, D)
    bare = without_positions(module)
    assert torch.equal(module(x, memory), bare(x, memory))
    assert torch.equal(module.steps(x, memory).masked, bare.steps(x, memory).masked)
    assert torch.equal(module(x, x), bare(x))  # even where the other sequence is the same
    assert not torch.allclose(module(x), bare(x), atol=1e-3)


@each_scheme
def test_both_forms_agree_in_output_and_gradients(scheme):
    module = attention(scheme)
    x = torch.randn(B, T, D, dtype=torch.float64, requires_grad=True)
    ids = torch.tensor([[5, 6, 7, 8, 9], [5, 6, 0, 0, 0]])
    mask = look_ahead_mask(T) & padding_mask(ids)
    mask[1, 0, 3] = False
    upstream = torch.randn(B, T, D, dtype=torch.float64)
    fused = module(x, mask=mask)
    stepwise = module.out_proj(module.steps(x, mask=mask).output.transpose(1, 2).flatten(2))
    assert_close(fused, stepwise, atol=1e-10, rtol=0)
    learned = [x, *module.parameters()]
    gradients = [torch.autograd.grad(form, learned, upstream) for form in (fused, stepwise)]
    for ours, theirs in zip(*gradients, strict=True):
        assert ours.any()
        assert_close(ours, theirs, atol=1e-10, rtol=0)


@each_scheme
def test_the_future_cannot_change_the_past_and_pads_do_not_matter(scheme, normal):
    module = attention(scheme).to(normal(1))
    x = normal(B, T, D)
    before = module(x, mask=look_ahead_mask(T))
    for t in range(1, T):
        changed = x.clone()
        changed[:, t:] += 10.0
        after = module(changed, mask=look_ahead_mask(T))
        assert torch.equal(after[:, :t], before[:, :t])
        assert not torch.equal(after[:, t:], before[:, t:])
    longer = torch.cat([x, 100 * normal(B, 2, D)], dim=1)
    ids = torch.tensor([[3] * T + [0, 0]] * B)
    assert_close(module(longer, mask=padding_mask(ids))[:, :T], module(x))
