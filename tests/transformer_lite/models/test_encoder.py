"""Laws of the encoder: two sub-layers a layer, one layer after the other."""

import pytest
import torch
from norm_parity import with_random_parameters
from torch import nn
from torch.testing import assert_close

from transformer_lite import (
    Encoder,
    EncoderLayer,
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNorm,
    PreNorm,
    look_ahead_mask,
    padding_mask,
)
from transformer_lite.layers import DeepNorm

B, S, H, K = 2, 5, 3, 4
D = H * K
MASK = padding_mask(torch.tensor([[3, 4, 5, 6, 7], [3, 4, 0, 0, 0]]))

each_recipe = pytest.mark.parametrize("recipe", [PostNorm, PreNorm, DeepNorm])


def layer(recipe=PostNorm, dropout=0.0):
    def make_residual():
        extra = {"alpha": 2.0} if recipe is DeepNorm else {}
        return recipe(LayerNorm(D), dropout, **extra)

    parts = MultiHeadAttention(D, H), FeedForward(D, 20), make_residual
    return with_random_parameters(EncoderLayer(*parts))


@each_recipe
def test_a_layer_is_its_formula(recipe, normal, dtype):
    module, x = layer(recipe).to(dtype), normal(B, S, D)
    first, second = module.self_attention_residual.norm, module.feed_forward_residual.norm
    attend, forward = (lambda x: module.self_attention(x, mask=MASK)), module.feed_forward
    if recipe is PreNorm:
        attended = x + attend(first(x))
        expected = attended + forward(second(attended))
    else:
        alpha = 2.0 if recipe is DeepNorm else 1.0
        attended = first(alpha * x + attend(x))
        expected = second(alpha * attended + forward(attended))
    assert_close(module(x, MASK), expected, atol=1e-4, rtol=1e-5)


def test_a_stack_is_its_layers_one_after_the_other(normal, dtype):
    layers, norm = [layer(PreNorm) for _ in range(3)], with_random_parameters(LayerNorm(D))
    stack, x = Encoder(iter(layers), norm).to(dtype), normal(B, S, D)
    expected = layers[2](layers[1](layers[0](x, MASK), MASK), MASK)
    assert torch.equal(stack(x, MASK), norm(expected))
    assert torch.equal(Encoder(layers)(x, MASK), expected), "no norm, unless one is given"
    assert isinstance(Encoder(layers).norm, nn.Identity)
    assert list(stack.layers) == layers


def test_the_mask_reaches_every_layer(normal, dtype):
    stack, x = Encoder([layer(), layer()]).to(dtype), normal(B, S, D)
    changed = x.clone()
    changed[1, 2:] += 10.0
    assert torch.equal(stack(x, MASK)[1, :2], stack(changed, MASK)[1, :2])
    assert not torch.allclose(stack(x)[1, :2], stack(changed)[1, :2])
    causal = stack(x, look_ahead_mask(S))
    assert torch.equal(causal[1, :2], stack(changed, look_ahead_mask(S))[1, :2])
