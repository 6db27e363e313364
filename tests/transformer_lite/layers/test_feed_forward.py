"""Laws of the feed-forward layers. B, T, D and M (the hidden width) all differ."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from transformer_lite import FeedForward
from transformer_lite.layers import SwiGLU, feed_forward_from_keys

B, T, D, M = 2, 5, 6, 11

both_layers = pytest.mark.parametrize("layer", [FeedForward, SwiGLU])
ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "gelu_tanh": partial(nn.GELU, "tanh")}


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_feed_forward_equals_torch(activation, normal, dtype):
    ours = FeedForward(D, M, activation).to(dtype)
    theirs = nn.Sequential(nn.Linear(D, M), ACTIVATIONS[activation](), nn.Linear(M, D)).to(dtype)
    theirs[0].load_state_dict(ours.up.state_dict())
    theirs[2].load_state_dict(ours.down.state_dict())
    x = normal(B, T, D)
    assert torch.equal(ours(x), theirs(x))


def test_swiglu_is_the_formula(normal, dtype):
    layer = SwiGLU(D, M).to(dtype)
    x = normal(B, T, D)
    gate, up, down = (part.weight.T for part in (layer.gate, layer.up, layer.down))
    swish = (x @ gate) / (1 + torch.exp(-(x @ gate)))
    assert_close(layer(x), (swish * (x @ up)) @ down)


@both_layers
@pytest.mark.parametrize("shape", [(D,), (T, D), (B, 3, T, D)])
def test_any_leading_axes_will_do(layer, shape, normal, dtype):
    layer = layer(D, M).to(dtype)
    x = normal(*shape)
    assert_close(layer(x), layer(x.view(1, -1, D)).view(shape))


@both_layers
@pytest.mark.parametrize("shape", [(B, 0, D), (0, D)])
def test_no_tokens_give_no_tokens(layer, shape):
    assert layer(D, M)(torch.zeros(shape)).shape == shape


sizes = st.integers(1, 6)


@given(t=sizes, d=sizes, m=sizes, seed=st.integers(0, 10_000))
def test_a_memory_of_keys_and_values_is_the_layer_without_biases(t, d, m, seed):
    torch.manual_seed(seed)
    layer = FeedForward(d, m).double()
    nn.init.zeros_(layer.up.bias)
    nn.init.zeros_(layer.down.bias)
    x = torch.randn(t, d, dtype=torch.float64)
    memory = feed_forward_from_keys(x, keys=layer.up.weight, values=layer.down.weight.T)
    assert_close(memory, layer(x))


def test_a_memory_adds_each_value_as_often_as_its_key_fits(normal):
    x, keys, values = normal(B, T, D), normal(M, D), normal(M, D)
    expected = torch.zeros_like(x)
    for key, value in zip(keys, values, strict=True):
        fit = (x * key).sum(-1, keepdim=True)
        expected += fit.clamp(min=0) * value
    assert_close(feed_forward_from_keys(x, keys, values), expected)


def hidden_units(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """What a layer gives to its last product."""
    seen = []
    with layer.down.register_forward_pre_hook(lambda _, inputs: seen.extend(inputs)):
        layer(x)
    return seen[0]


@both_layers
def test_dropout_drops_hidden_units_and_enlarges_the_rest(layer, normal, dtype):
    layer = layer(D, 2000, dropout=0.25).to(dtype)
    x = normal(D)
    whole, dropped = hidden_units(layer.eval(), x), hidden_units(layer.train(), x)
    gone = (dropped == 0) & (whole != 0)
    assert 0.2 < gone.sum() / (whole != 0).sum() < 0.3
    assert_close(dropped[~gone], whole[~gone] / 0.75)


@both_layers
def test_dropout_works_in_training_and_rests_in_evaluation(layer, normal, dtype):
    dropping = layer(D, M, dropout=0.5).to(dtype)
    plain = layer(D, M).to(dtype)
    plain.load_state_dict(dropping.state_dict())
    x = normal(B, T, D)
    assert not torch.equal(dropping(x), dropping(x))
    assert torch.equal(dropping.eval()(x), plain(x))
    assert torch.equal(plain.train()(x), plain.eval()(x))


def test_parameters_are_counted_by_the_formula():
    def count(module: nn.Module) -> int:
        return sum(parameter.numel() for parameter in module.parameters())

    assert count(FeedForward(D, M)) == 2 * D * M + M + D
    assert count(SwiGLU(D, M)) == 3 * D * M
    # The sizes of the paper: 512 to 2048. Two thirds of the hidden width keep the count.
    assert count(FeedForward(512, 2048)) == 2_099_712
    assert count(SwiGLU(6, 8)) == count(FeedForward(6, 12)) - 12 - 6


def test_swiglu_has_no_biases():
    shapes = {name: tuple(p.shape) for name, p in SwiGLU(D, M).named_parameters()}
    assert shapes == {"gate.weight": (M, D), "up.weight": (M, D), "down.weight": (D, M)}
