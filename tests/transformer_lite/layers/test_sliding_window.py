"""Sliding-window attention and its bounded cache: the same output, and at most a window of keys."""

import pytest
import torch
from sampling import each_pair
from torch import nn
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, look_ahead_mask, padding_mask
from transformer_lite.fast.exact import FORMS
from transformer_lite.layers import (
    FeedForward,
    GroupedQueryAttention,
    KVCache,
    PreNorm,
    SlidingWindowAttention,
    WindowCache,
    sliding_window_mask,
)
from transformer_lite.layers.norms import RMSNorm
from transformer_lite.layers.positions import ALiBi, Rotary, ShawRelative, T5Relative
from transformer_lite.models import Decoder, DecoderLayer, record_attention

B, T, H, G, K, D = 2, 11, 6, 3, 4, 10
EXACT = {torch.float32: 1e-5, torch.float64: 1e-10}
SCHEMES = {
    "none": lambda: None,
    "rotary": Rotary,
    "alibi": lambda: ALiBi(H),
    "t5": lambda: T5Relative(H, bidirectional=False, num_buckets=4, max_distance=6),
    "shaw": lambda: ShawRelative(K, max_distance=2),
}
PIECES = [(1,) * T, (7, 1, 1, 2), (9, 2), (2, 9), (3, 5, 3)]
WINDOWS = [1, 3, 4, T + 2]
each_window = pytest.mark.parametrize("window", WINDOWS)


def windowed(window: int, dtype: torch.dtype, scheme: str = "rotary") -> SlidingWindowAttention:
    parts = {"positions": SCHEMES[scheme](), "d_head": K, "make_qk_norm": RMSNorm}
    return SlidingWindowAttention(D, H, G, window=window, **parts).to(dtype).eval()


def in_pieces(module, x, pieces, cache, real=None) -> torch.Tensor:
    """Attend piece after piece, with the masks that a decoder-only model makes."""
    outputs, start = [], 0
    for size in pieces:
        mask = None if size == 1 else look_ahead_mask(size, start=start)
        if real is not None:
            seen = real[..., : start + size]
            mask = seen if mask is None else mask & seen
        outputs.append(module(x[:, start : start + size], mask=mask, cache=cache))
        start += size
    return torch.cat(outputs, dim=1)


@each_window
def test_it_equals_grouped_queries_under_the_mask_of_the_window(window, normal, dtype):
    module, x = windowed(window, dtype), normal(B, T, D)
    plain = GroupedQueryAttention(D, H, G, positions=Rotary(), d_head=K, make_qk_norm=RMSNorm).to(
        dtype
    )
    plain.load_state_dict(module.state_dict())
    real = padding_mask(torch.tensor([[4] * T, [4] * (T - 4) + [0] * 4]))
    near = sliding_window_mask(T, window)
    for given, mask in ((None, near), (look_ahead_mask(T), near), (real, near & real)):
        assert_close(module(x, mask=given), plain(x, mask=mask))
        steps, expected = module.steps(x, mask=given), plain.steps(x, mask=mask)
        assert torch.equal(steps.weights, expected.weights)
    weights = record_attention(module, x).weights[""]
    assert torch.equal(weights > 0, near.expand_as(weights))


@torch.no_grad()
@pytest.mark.parametrize(
    ("window", "pieces", "make_cache"), each_pair(WINDOWS, PIECES, [KVCache, WindowCache])
)
def test_the_cache_does_not_change_the_output(window, pieces, make_cache, normal, dtype):
    module, x = windowed(window, dtype), normal(B, T, D)
    real = padding_mask(torch.tensor([[4] * T, [0, 0, 4, 4, 0, 4, 4, 4, 4, 0, 4]]))
    for padding in (None, real):
        cache = KVCache() if make_cache is KVCache else module.new_target_cache()
        expected = module(x, mask=padding)
        output = in_pieces(module, x, pieces, cache, padding)
        assert_close(output, expected, atol=EXACT[dtype], rtol=0)
        assert cache.length == T
        bound = T if make_cache is KVCache else min(T, window - 1 + pieces[-1])
        assert cache.num_kept == cache.tensors()[0].shape[2] == bound


@torch.no_grad()
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_bounded_cache_suits_every_scheme_of_positions(scheme, normal, dtype):
    module, x = windowed(3, dtype, scheme), normal(B, T, D)
    for parameter in module.positions.parameters():
        nn.init.normal_(parameter)
    output = in_pieces(module, x, (5, 1, 1, 4), WindowCache(3))
    assert_close(output, module(x), atol=EXACT[dtype], rtol=0)


@torch.no_grad()
def test_reordered_rows_continue_the_chosen_rows(normal, dtype):
    module, x, rows = windowed(3, dtype), normal(B, T, D), torch.tensor([1, 0, 1])
    cache = module.new_target_cache()
    in_pieces(module, x[:, :8], (7, 1), cache)
    cache.reorder(rows)
    later = normal(len(rows), 3, D)
    output = torch.cat([module(later[:, i : i + 1], cache=cache) for i in range(3)], dim=1)
    expected = module(torch.cat([x[rows, :8], later], dim=1))[:, 8:]
    assert_close(output, expected, atol=EXACT[dtype], rtol=0)


@torch.no_grad()
@pytest.mark.parametrize("dropped", [1, 2, 3])
def test_the_newest_tokens_can_be_forgotten(dropped, normal, dtype):
    module, x = windowed(4, dtype), normal(B, T, D)
    cache = module.new_target_cache()
    in_pieces(module, x[:, :9], (6, 3), cache)
    cache.truncate(9 - dropped)
    assert cache.length == 9 - dropped
    output = module(x[:, 9 - dropped :], cache=cache)
    assert_close(output, module(x)[:, 9 - dropped :], atol=EXACT[dtype], rtol=0)


def test_tokens_whose_window_is_dropped_cannot_become_the_last():
    cache, token = WindowCache(4), torch.zeros(1, G, 1, K)
    for _ in range(7):
        cache.append(token, token)
    cache.truncate(7)
    with pytest.raises(ValueError, match=r"length must be at least 6, because .*, got 5"):
        cache.truncate(5)
    assert cache.length == 7


def test_changing_an_appended_tensor_does_not_change_the_cache():
    cache, key = WindowCache(4), torch.ones(1, G, 2, K)
    cache.append(key, key)
    key.zero_()
    assert all((kept == 1).all() for kept in cache.tensors())


def stack(window: int | None) -> Decoder:
    """Three layers: a window, all earlier tokens, a window; or no window at all."""

    def layer(size: int | None) -> DecoderLayer:
        parts = {"positions": Rotary(), "d_head": K}
        if size is None:
            attention = GroupedQueryAttention(D, H, G, **parts)
        else:
            attention = SlidingWindowAttention(D, H, G, window=size, **parts)
        return DecoderLayer(attention, FeedForward(D, 17), lambda: PreNorm(RMSNorm(D)))

    torch.manual_seed(3)
    return Decoder([layer(window), layer(None), layer(window)], RMSNorm(D)).double().eval()


@torch.no_grad()
def test_a_decoder_bounds_the_caches_of_its_local_layers_only():
    decoder, x = stack(window=3), torch.randn(B, T, D, dtype=torch.float64)
    cache = decoder.new_cache()
    assert [type(one) for one in cache.target] == [WindowCache, KVCache, WindowCache]
    ones = torch.ones(B, 1, 1, T, dtype=torch.bool)
    outputs = []
    for i in range(T):
        with cache.extend(ones[..., i : i + 1]):
            outputs.append(decoder(x[:, i : i + 1], cache=cache))
    whole = decoder(x, mask=look_ahead_mask(T))
    assert_close(torch.cat(outputs, dim=1), whole, atol=1e-10, rtol=0)
    assert [one.num_kept for one in cache.target] == [3, T, 3]


@torch.no_grad()
def test_a_step_that_fails_leaves_the_caches_as_they_were():
    decoder, x = stack(window=3), torch.randn(B, T, D, dtype=torch.float64)
    cache = decoder.new_cache()
    ones = torch.ones(B, 1, 1, T, dtype=torch.bool)
    with cache.extend(ones[..., :6]):
        decoder(x[:, :6], mask=look_ahead_mask(6), cache=cache)

    def fail(*_):
        raise RuntimeError("interrupted")

    handle = decoder.layers[2].feed_forward.register_forward_pre_hook(fail)
    with pytest.raises(RuntimeError, match="interrupted"), cache.extend(ones[..., 6:8]):
        decoder(x[:, 6:8], mask=look_ahead_mask(2, start=6), cache=cache)
    handle.remove()
    assert [one.length for one in cache.target] == [6, 6, 6]
    with cache.extend(ones[..., 6:]):
        output = decoder(x[:, 6:], mask=look_ahead_mask(T - 6, start=6), cache=cache)
    expected = decoder(x, mask=look_ahead_mask(T))[:, 6:]
    assert_close(output, expected, atol=1e-10, rtol=0)


@torch.no_grad()
def test_a_change_reaches_as_far_as_the_windows_of_all_layers():
    torch.manual_seed(0)
    layers = [windowed(3, torch.float64) for _ in range(2)]
    x = torch.randn(1, T, D, dtype=torch.float64, requires_grad=False)

    def both(x):
        for layer in layers:
            x = x + layer(x)
        return x

    before, x[:, 2] = both(x), 9.0
    changed = (both(x) - before).abs().amax(dim=(0, 2)) > 1e-9
    assert changed.nonzero().flatten().tolist() == [2, 3, 4, 5, 6]


def test_it_has_no_fast_form():
    assert SlidingWindowAttention not in FORMS
    assert MultiHeadAttention in FORMS
