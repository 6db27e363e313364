"""Laws of the decoder: self-attention, cross-attention, feed-forward layer and cache."""

import pytest
import torch
from norm_parity import with_random_parameters
from torch import nn
from torch.testing import assert_close

from transformer_lite import (
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNorm,
    PreNorm,
    look_ahead_mask,
    padding_mask,
)
from transformer_lite.layers import DecoderCache, DeepNorm
from transformer_lite.layers.positions import Rotary
from transformer_lite.models import Decoder, DecoderLayer

B, T, S, H, K = 2, 5, 7, 3, 4
D = H * K
MASK = look_ahead_mask(T) & padding_mask(torch.tensor([[3, 4, 5, 6, 7], [3, 4, 5, 0, 0]]))
MEMORY_MASK = padding_mask(torch.tensor([[3, 4, 5, 6, 7, 8, 9], [3, 4, 0, 0, 0, 0, 0]]))

each_recipe = pytest.mark.parametrize("recipe", [PostNorm, PreNorm, DeepNorm])


def layer(recipe=PostNorm, crosses=True):
    def make_residual():
        return recipe(LayerNorm(D), **({"alpha": 2.0} if recipe is DeepNorm else {}))

    attention = MultiHeadAttention(D, H, positions=Rotary())
    crossing = MultiHeadAttention(D, H) if crosses else None
    parts = attention, FeedForward(D, 20), make_residual, crossing
    return with_random_parameters(DecoderLayer(*parts))


@pytest.fixture
def stack(dtype):
    return Decoder([layer(PreNorm), layer(PreNorm)], LayerNorm(D)).to(dtype)


@pytest.mark.parametrize("crosses", [True, False])
@each_recipe
def test_a_layer_is_its_formula(recipe, crosses, normal, dtype):
    module, x = layer(recipe, crosses).to(dtype), normal(B, T, D)
    memory = normal(B, S, D) if crosses else None
    alpha = 2.0 if recipe is DeepNorm else 1.0

    def connect(residual, x, sublayer):
        if recipe is PreNorm:
            return x + sublayer(residual.norm(x))
        return residual.norm(alpha * x + sublayer(x))

    expected = connect(
        module.self_attention_residual, x, lambda x: module.self_attention(x, mask=MASK)
    )
    if crosses:  # the queries are what the self-attention has left
        expected = connect(
            module.cross_attention_residual,
            expected,
            lambda x: module.cross_attention(x, memory, MEMORY_MASK),
        )
    expected = connect(module.feed_forward_residual, expected, module.feed_forward)
    output = module(x, memory, MASK, MEMORY_MASK if crosses else None)
    assert_close(output, expected, atol=1e-4, rtol=1e-5)


def test_a_stack_is_its_layers_one_after_the_other(normal, dtype):
    layers, norm = [layer() for _ in range(3)], with_random_parameters(LayerNorm(D))
    stack, x, memory = Decoder(iter(layers), norm).to(dtype), normal(B, T, D), normal(B, S, D)
    expected = x
    for module in layers:
        expected = module(expected, memory, MASK, MEMORY_MASK)
    assert torch.equal(stack(x, memory, MASK, MEMORY_MASK), norm(expected))
    assert torch.equal(Decoder(layers)(x, memory, MASK, MEMORY_MASK), expected)
    assert isinstance(Decoder(layers).norm, nn.Identity)


# The cache


@torch.no_grad()
def decode_in_pieces(stack, x, memory, pieces, memory_mask=MEMORY_MASK):
    """Feed the target piece by piece; return all outputs side by side, and the cache."""
    cache, outputs, start = DecoderCache(len(stack.layers)), [], 0
    for size in pieces:
        part, mask = x[:, start : start + size], look_ahead_mask(size, start=start)
        with cache.extend(torch.ones(len(x), 1, 1, size, dtype=torch.bool)):
            outputs.append(stack(part, memory, mask, memory_mask, cache))
        start += size
    return torch.cat(outputs, dim=1), cache


@pytest.mark.parametrize("pieces", [[1, 1, 1, 1, 1], [2, 3], [3, 1, 1], [5]], ids=str)
def test_piece_by_piece_equals_all_at_once(pieces, stack, normal):
    x, memory = normal(B, T, D), normal(B, S, D)
    output, cache = decode_in_pieces(stack, x, memory, pieces)
    expected = stack(x, memory, look_ahead_mask(T), MEMORY_MASK)
    assert_close(output, expected, atol=1e-5, rtol=1e-5)
    assert cache.length == T
    assert {part.length for part in cache.target} == {T}
    assert {part.length for part in cache.memory} == {S}


@pytest.mark.parametrize("rows", [[1, 0], [0, 0], [1, 1, 0, 0], [0]], ids=str)
def test_reordered_rows_continue_the_chosen_rows(rows, stack, normal):
    # Two prefixes, one source.
    x, memory, mask = normal(2, T, D), normal(1, S, D).expand(2, S, D), MEMORY_MASK[1:]
    _, cache = decode_in_pieces(stack, x[:, :3], memory, [2, 1], mask)
    with cache.extend(torch.tensor([True, False]).view(2, 1, 1, 1)):
        pass
    cache.reorder(torch.tensor(rows))
    assert cache.padding_mask[:, 0, 0, -1].tolist() == [row == 0 for row in rows]
    last = x[:1, 3:4].expand(len(rows), 1, D)
    with torch.no_grad():
        output = stack(last, memory[rows], None, mask, cache)
    for row, came in enumerate(rows):
        whole = torch.cat([x[came, :3], x[0, 3:4]])[None]
        expected = stack(whole, memory[:1], look_ahead_mask(4), mask)[:, -1:]
        assert_close(output[row : row + 1], expected, atol=1e-5, rtol=1e-5)
