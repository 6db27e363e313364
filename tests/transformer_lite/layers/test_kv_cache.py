"""The cache of keys and values: decoding in pieces equals one pass over all tokens."""

import re
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from relative_attention import SCHEMES, attention, in_pieces
from torch.testing import assert_close

from transformer_lite import look_ahead_mask, merge_heads, padding_mask
from transformer_lite.layers import KVCache

B, H, T, S, K, W = 2, 3, 6, 7, 4, 5
D = H * K


def some(rows: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Keys and values, which need not have the same width."""
    return torch.randn(rows, H, length, K), torch.randn(rows, H, length, W)


def joined(*pieces) -> list[torch.Tensor]:
    """The keys of all pieces one after the other, and the values."""
    return [torch.cat(parts, dim=2) for parts in zip(*pieces, strict=True)]


def equal(ours, theirs) -> bool:
    return all(torch.equal(one, other) for one, other in zip(ours, theirs, strict=True))


moves = st.one_of(
    st.integers(1, 9),  # append so many tokens
    st.lists(st.integers(0, 99), min_size=1, max_size=5),  # go on with these rows
)


@given(steps=st.lists(moves, max_size=12), seed=st.integers(0, 999))
def test_the_cache_behaves_like_a_list_of_tensors(steps, seed):
    torch.manual_seed(seed)
    cache, rows = KVCache(), B
    kept: Sequence[torch.Tensor] | None = None
    for step in steps:
        if isinstance(step, int):
            new = some(rows, step)
            cache.append(*new)
            kept = new if kept is None else joined(kept, new)
        elif kept is not None:
            order = torch.tensor(step) % rows
            cache.reorder(order)
            kept, rows = [tensor[order] for tensor in kept], len(order)
        assert cache.length == (0 if kept is None else kept[0].shape[2])
        if kept is not None:
            assert equal(cache.tensors(), kept)


def test_changing_an_appended_tensor_does_not_change_the_cache():
    cache, piece = KVCache(), some(B, 3)
    before = [tensor.clone() for tensor in piece]
    cache.append(*piece)
    for tensor in piece:
        tensor.zero_()
    assert equal(cache.tensors(), before)


@pytest.mark.parametrize("pieces", [(3, 1, 2), (1,) * T, (T,), (2, 4)])
@pytest.mark.parametrize("scheme", SCHEMES)
@torch.no_grad()
def test_attention_in_pieces_equals_one_pass(scheme, pieces, normal, dtype):
    module, x = attention(scheme, dtype), normal(B, T, D)
    mask = padding_mask(torch.tensor([[4, 5, 6, 7, 8, 9], [4, 5, 0, 0, 6, 7]]))
    tolerance = {torch.float32: 1e-5, torch.float64: 1e-10}[dtype]
    for real in (None, mask):
        whole = look_ahead_mask(T) if real is None else look_ahead_mask(T) & real
        expected = module(x, mask=whole)
        assert_close(in_pieces(module, x, pieces, real)[0], expected, atol=tolerance, rtol=0)


@pytest.mark.parametrize("scheme", SCHEMES)
@torch.no_grad()
def test_reordered_row_continues_the_chosen_row(scheme, normal, dtype):
    module, x, rows = attention(scheme, dtype), normal(B, T, D), torch.tensor([1, 0, 1, 1])
    cache = KVCache()
    module(x[:, :4], mask=look_ahead_mask(4), cache=cache)
    cache.reorder(rows)
    later = normal(len(rows), 2, D)
    output = module(later, mask=look_ahead_mask(2, start=4), cache=cache)
    whole = torch.cat([x[rows, :4], later], dim=1)
    expected = module(whole, mask=look_ahead_mask(T))[:, 4:]
    assert_close(output, expected, atol=1e-5, rtol=0)


@torch.no_grad()
def test_the_memory_is_projected_once(normal):
    module, memory = attention("shaw").to(normal(1)), normal(B, S, D)
    mask = padding_mask(torch.tensor([[1, 2, 3, 4, 5, 6, 7], [8, 9, 3, 0, 0, 0, 0]]))
    calls = []
    for name in ("q_proj", "k_proj", "v_proj"):
        getattr(module, name).register_forward_hook(lambda *_, name=name: calls.append(name))
    cache = KVCache()
    for length in (3, 1, 2):
        x = normal(B, length, D)
        output = module(x, memory, mask, cache)
        assert cache.length == S
        assert_close(output, module.out_proj(merge_heads(module.steps(x, memory, mask).output)))
        del calls[-3:]  # those of the steps
    assert calls == ["q_proj", "k_proj", "v_proj", "q_proj", "q_proj"]


@torch.no_grad()
def test_filled_memory_cache_is_used(normal):
    module, memory, x = attention("rotary").to(normal(1)), normal(B, S, D), normal(B, 1, D)
    cache = KVCache()
    output = module(x, memory, cache=cache)
    assert torch.equal(module(x, torch.zeros_like(memory), cache=cache), output)
    cache.reorder(torch.tensor([1, 0]))
    assert_close(module(x[[1, 0]], memory, cache=cache), output[[1, 0]])


@pytest.mark.parametrize(
    ("key", "value", "error", "words"),
    [
        ((B + 1, H, 1, K), (B + 1, H, 1, W), ValueError, "key must have the cache's shape (2, 3,"),
        ((1, H, 1, K), (1, H, 1, W), ValueError, "begin another batch with a new cache"),
        ((B, 1, 1, K), (B, 1, 1, W), ValueError, "got (2, 1, 1, 4)"),
        ((B, H, 1, 1), (B, H, 1, W), ValueError, "got (2, 3, 1, 1)"),
        ((B, H, 1, K), (B, H, 1, 1), ValueError, "value must have the cache's shape (2, 3, T, 5)"),
        ((B, H, 2, K), (B, H, 1, W), ValueError, "the same batch, heads and length"),
        ((B, H, 1, K), None, TypeError, "value and cache must share one dtype"),
    ],
)
def test_tokens_that_do_not_fit_the_cache_are_refused(key, value, error, words):
    cache = KVCache()
    cache.append(*some(B, 3))
    before = [tensor.clone() for tensor in cache.tensors()]
    other = torch.zeros(value) if value else torch.zeros(B, H, 1, W, dtype=torch.float64)
    with pytest.raises(error, match=re.escape(words)):
        cache.append(torch.ones(key), other)
    assert equal(cache.tensors(), before)
