"""Laws of `record_attention`: it records the right weights and does not change the model."""

from copy import deepcopy

import pytest
import torch
from tiny_models import (
    BUILDERS,
    SRC,
    TGT,
    B,
    D,
    H,
    S,
    T,
    config,
    each_model,
    each_position,
    hooks,
    inputs_of,
    make,
)
from torch import nn
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, Transformer, record_attention
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    residual_stream,
    value_weighted,
)
from transformer_lite.models.encoder import Encoder

NAMES = {
    Transformer: {
        "encoder.layers.0.self_attention": (B, H, S, S),
        "decoder.layers.0.self_attention": (B, H, T, T),
        "decoder.layers.0.cross_attention": (B, H, T, S),
        "decoder.layers.1.self_attention": (B, H, T, T),
        "decoder.layers.1.cross_attention": (B, H, T, S),
    },
    DecoderOnlyTransformer: {
        "decoder.layers.0.self_attention": (B, H, T, T),
        "decoder.layers.1.self_attention": (B, H, T, T),
    },
    EncoderOnlyTransformer: {"encoder.layers.0.self_attention": (B, H, S, S)},
}


@each_model
@each_position
def test_every_attention_is_there_by_name_in_order(kind, positions):
    record = record_attention(make(kind, positions=positions), *inputs_of(kind))
    found = {name: tuple(weights.shape) for name, weights in record.weights.items()}
    assert found == NAMES[kind]
    assert list(found) == list(NAMES[kind])
    assert not any(weights.requires_grad for weights in record.weights.values())


@each_model
@each_position
def test_recorded_weights_equal_those_of_the_steps(kind, positions):
    model, seen = make(kind, positions=positions), {}
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            module.register_forward_hook(
                lambda module, args, named, output, name=name: seen.update({name: (args, named)}),
                with_kwargs=True,
            )
    record = record_attention(model, *inputs_of(kind))
    assert seen.keys() == record.weights.keys()
    for name, (args, named) in seen.items():
        named.pop("cache", None)
        expected = model.get_submodule(name).steps(*args[:3], **named)
        assert_close(record.weights[name], expected.weights)


@each_model
@pytest.mark.parametrize("training", [False, True])
def test_recording_does_not_change_the_output_by_a_bit(kind, training):
    model = BUILDERS[kind](config(dropout=0.3)).train(training)
    torch.manual_seed(3)
    plain = model(*inputs_of(kind))
    torch.manual_seed(3)
    record = record_attention(model, *inputs_of(kind))
    assert torch.equal(record.output, plain)
    assert torch.equal(model(*inputs_of(kind)), plain) == (not training), "dropout was at work"
    for weights in record.weights.values():
        assert_close(weights.sum(dim=-1), torch.ones_like(weights[..., 0])), "none is dropped"


@each_model
def test_gradients_are_not_changed(kind):
    model, other = make(kind), make(kind)
    other.load_state_dict(model.state_dict())
    torch.square(record_attention(model, *inputs_of(kind)).output).sum().backward()
    other(*inputs_of(kind)).square().sum().backward()
    for mine, theirs in zip(model.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine.grad, theirs.grad)


def test_only_own_hooks_are_removed():
    model = make(Transformer)
    calls = []
    attention = model.encoder.layers[0].self_attention
    attention.register_forward_hook(lambda *_: calls.append("hook"))
    attention.register_forward_pre_hook(lambda *_: calls.append("pre-hook"))
    before = hooks(model)
    record_attention(model, SRC, TGT)
    assert hooks(model) == before
    assert calls == ["pre-hook", "hook"]
    model(SRC, TGT)
    assert calls == 2 * ["pre-hook", "hook"]


@pytest.mark.parametrize("src", [SRC.float(), SRC + 100, SRC[:1]], ids=["dtype", "id", "batch"])
def test_no_hook_is_left_after_an_error(src):
    model = make(Transformer)
    with pytest.raises((TypeError, ValueError)):
        record_attention(model, src, TGT)
    assert hooks(model) == 0
    assert len(record_attention(model, SRC, TGT).weights) == 5


def test_a_shared_layer_is_recorded_at_every_run(normal):
    layer = make(EncoderOnlyTransformer).encoder.layers[0]
    x = normal(B, S, D).double()
    shared, copies = Encoder([layer] * 3), Encoder([deepcopy(layer) for _ in range(3)])
    record, expected = record_attention(shared, x), record_attention(copies, x)
    assert list(record.weights) == [f"layers.{i}.self_attention" for i in range(3)]
    assert record.weights.keys() == expected.weights.keys()
    for name, weights in expected.weights.items():
        assert_close(record.weights[name], weights)
    assert not torch.allclose(*(record.weights[f"layers.{i}.self_attention"] for i in (0, 1)))
    norms = value_weighted(shared, x).norms
    assert norms.keys() == expected.weights.keys()
    steps, expected_steps = residual_stream(shared, x).steps, residual_stream(copies, x).steps
    assert list(steps) == list(expected_steps)
    for name, step in expected_steps.items():
        assert_close(tuple(steps[name]), tuple(step))


def test_a_module_that_runs_again_gets_numbered_names(normal):
    class Twice(nn.Module):
        def __init__(self, layer):
            super().__init__()
            self.layer = layer

        def forward(self, x):
            return self.layer(self.layer(x))

    model, x = Twice(make(EncoderOnlyTransformer).encoder.layers[0]), normal(B, S, D).double()
    record = record_attention(model, x)
    assert list(record.weights) == ["layer.self_attention", "layer.self_attention#2"]
    second = record_attention(model.layer, model.layer(x)).weights["self_attention"]
    assert_close(record.weights["layer.self_attention#2"], second)
    assert list(residual_stream(model, x).steps)[2:] == [
        "layer.self_attention#2",
        "layer.feed_forward#2",
    ]
