"""Grouped queries: several heads read one key and value."""

import pytest
import torch
from relative_attention import in_pieces
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, look_ahead_mask
from transformer_lite.layers import GroupedQueryAttention
from transformer_lite.layers.positions import ALiBi, Rotary

B, T, S, H, K = 2, 5, 7, 6, 4
D = H * K


def repeated(attention: GroupedQueryAttention) -> MultiHeadAttention:
    """Multi-head attention whose key and value heads are written out, group after group."""
    times = attention.num_heads // attention.num_kv_heads
    ours = MultiHeadAttention(D, H, positions=attention.positions)
    ours.q_proj, ours.out_proj = attention.q_proj, attention.out_proj
    for name in ("k_proj", "v_proj"):
        theirs = getattr(attention, name)
        for kind, rows in (("weight", (-1, K, D)), ("bias", (-1, K))):
            spread = getattr(theirs, kind).detach().view(rows).repeat_interleave(times, 0)
            setattr(getattr(ours, name), kind, torch.nn.Parameter(spread.flatten(0, 1)))
    return ours


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
@pytest.mark.parametrize("make", [lambda: None, Rotary, lambda: ALiBi(H)])
def test_grouped_queries_equal_multi_head_attention_with_repeated_heads(
    groups, make, normal, dtype
):
    attention = GroupedQueryAttention(D, H, groups, positions=make()).to(dtype)
    plain, mask = repeated(attention).to(dtype), look_ahead_mask(T)
    x = normal(B, T, D)
    assert_close(attention(x, mask=mask), plain(x, mask=mask))
    steps, expected = attention.steps(x, mask=mask), plain.steps(x, mask=mask)
    assert_close(steps.weights, expected.weights)


def test_attention_to_a_memory_uses_groups_too(normal, dtype):
    attention = GroupedQueryAttention(D, H, 2).to(dtype)
    x, memory = normal(B, T, D), normal(B, S, D)
    assert_close(attention(x, memory), repeated(attention).to(dtype)(x, memory))


@torch.no_grad()
@pytest.mark.parametrize("pieces", [[1, 1, 1, 1, 1], [3, 2]], ids=str)
def test_the_cache_stores_groups_and_does_not_change_the_output(pieces, normal, dtype):
    attention = GroupedQueryAttention(D, H, 2, positions=Rotary()).to(dtype)
    x = normal(B, T, D)
    output, cache = in_pieces(attention, x, pieces)
    assert cache.tensors()[0].shape == (B, 2, T, K)
    expected = attention(x, mask=look_ahead_mask(T))
    assert_close(output, expected, atol=1e-5, rtol=1e-5)
