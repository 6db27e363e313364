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


def hidden_units(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """What a layer gives to its last product."""
    seen = []
    with layer.down.register_forward_pre_hook(lambda _, inputs: seen.extend(inputs)):
        layer(x)
    return seen[0]


@both_layers
def test_dropout_rescales_the_kept_units(layer, normal, dtype):
    layer = layer(D, 2000, dropout=0.25).to(dtype)
    x = normal(D)
    whole, dropped = hidden_units(layer.eval(), x), hidden_units(layer.train(), x)
    gone = (dropped == 0) & (whole != 0)
    assert 0.2 < gone.sum() / (whole != 0).sum() < 0.3
    assert_close(dropped[~gone], whole[~gone] / 0.75)


def test_parameters_are_counted_by_the_formula():
    def count(module: nn.Module) -> int:
        return sum(parameter.numel() for parameter in module.parameters())

    assert count(FeedForward(D, M)) == 2 * D * M + M + D
    assert count(SwiGLU(D, M)) == 3 * D * M
    # The sizes of the paper: 512 to 2048. Two thirds of the hidden width keep the count.
    assert count(FeedForward(512, 2048)) == 2_099_712
    assert count(SwiGLU(6, 8)) == count(FeedForward(6, 12)) - 12 - 6
