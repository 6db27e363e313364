"""Grouped queries: several heads read one key and value."""

import pytest
import torch
from relative_attention import in_pieces
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, look_ahead_mask
from transformer_lite.layers import GroupedQueryAttention
from transformer_lite.layers.norms import RMSNorm
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


@torch.no_grad()
def test_queries_and_keys_are_normalized_head_by_head_before_they_rotate(normal, dtype):
    parts = {"positions": Rotary(), "d_head": 8, "make_qk_norm": RMSNorm, "scale": 0.3}
    attention = GroupedQueryAttention(D, H, 2, **parts).to(dtype)
    for norm in (attention.q_norm, attention.k_norm):
        torch.nn.init.normal_(norm.weight)
    x = normal(B, T, D)
    heads = {"q": H, "k": 2}
    rotated = {}
    for name, count in heads.items():
        split = getattr(attention, f"{name}_proj")(x).view(B, T, count, 8)
        size = (split.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
        gain = getattr(attention, f"{name}_norm").weight
        rotated[name] = Rotary().rotate((split / size * gain).transpose(1, 2))
    scores = rotated["q"] @ rotated["k"].repeat_interleave(3, dim=1).mT
    steps = attention.steps(x)
    assert_close(steps.scores, scores)
    assert_close(steps.scaled, 0.3 * scores)
    query, key, _ = attention.project(x)
    assert_close(Rotary().rotate(query), rotated["q"])
    assert_close(Rotary().rotate(key), rotated["k"])


@torch.no_grad()
def test_scores_of_normalized_heads_do_not_grow_with_the_input(normal, dtype):
    attention = GroupedQueryAttention(D, H, 2, bias=False, make_qk_norm=RMSNorm).to(dtype)
    x = normal(B, T, D)
    assert attention.steps(100 * x).scores.abs().max() <= K + 1e-4  # |q||k| = √K · √K
    assert_close(attention.steps(100 * x).weights, attention.steps(x).weights, atol=1e-3, rtol=0)


def test_the_width_of_a_head_need_not_divide_d_model(normal, dtype):
    attention = GroupedQueryAttention(10, 6, 3, d_head=4).to(dtype)
    shapes = [tuple(part.weight.shape) for part in attention.children() if hasattr(part, "weight")]
    assert shapes == [(24, 10), (12, 10), (12, 10), (10, 24)]
    assert attention(normal(B, T, 10)).shape == (B, T, 10)


def test_with_as_many_groups_as_heads_it_is_multi_head_attention_of_any_width(normal, dtype):
    grouped = GroupedQueryAttention(10, 6, 6, d_head=4).to(dtype)
    plain = MultiHeadAttention(10, 6, d_head=4).to(dtype)
    plain.load_state_dict(grouped.state_dict())
    x = normal(B, T, 10)
    assert_close(grouped(x), plain(x))


def test_a_width_that_is_the_usual_one_changes_nothing():
    torch.manual_seed(0)
    usual, asked = GroupedQueryAttention(D, H, 2), GroupedQueryAttention(D, H, 2, d_head=K)
    asked.load_state_dict(usual.state_dict())
    x = torch.randn(B, T, D)
    assert_close(asked(x), usual(x))
