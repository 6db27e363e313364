"""Laws of silencing: a silent head or layer adds nothing, and nothing else is touched."""

import pytest
import torch
from test_inspection import NAMES
from tiny_models import (
    SRC,
    TGT,
    B,
    D,
    H,
    K,
    S,
    T,
    each_model,
    each_position,
    each_residual,
    hooks,
    inputs_of,
    make,
)
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention, Transformer, greedy
from transformer_lite.models import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    residual_stream,
    silence_heads,
    silence_layers,
)
from transformer_lite.models.encoder import Encoder

CHOSEN = ((0, 1), (1, 0), (1, 2))  # heads of a decoder of two layers


def heads_of(kind):
    """A head in the middle of every attention, and the last one of the first."""
    names = list(NAMES[kind])
    return [(name, 1) for name in names] + [(names[0], H - 1)]


def cut(model, heads):
    """A copy of the model whose W^O has zeros where it reads these heads."""
    with torch.no_grad():
        for name, head in heads:
            columns = model.get_submodule(name).out_proj.weight[:, head * K : (head + 1) * K]
            assert columns.abs().min() > 0
            columns.zero_()
    return model


def twins(kind, **fields):
    model, other = make(kind, **fields), make(kind, **fields)
    other.load_state_dict(model.state_dict())
    return model, other


@each_model
@each_position
def test_silencing_equals_zero_columns_of_the_output_matrix(kind, positions):
    model, other = twins(kind, positions=positions)
    plain = model(*inputs_of(kind))
    with silence_heads(model, heads_of(kind)):
        silent = model(*inputs_of(kind))
    assert_close(silent, cut(other, heads_of(kind))(*inputs_of(kind)))
    assert not torch.allclose(silent, plain, atol=1e-3)
    assert torch.equal(model(*inputs_of(kind)), plain)
    assert hooks(model) == 0


@pytest.mark.parametrize("kind", [DecoderOnlyTransformer, EncoderOnlyTransformer])
def test_layers_of_a_model_with_one_stack_can_be_given_by_number(kind):
    model = make(kind)
    name = list(NAMES[kind])[-1]
    with silence_heads(model, [(len(NAMES[kind]) - 1, 2)]):
        by_number = model(*inputs_of(kind))
    with silence_heads(model, iter([(name, 2)])):
        assert torch.equal(model(*inputs_of(kind)), by_number)


def test_scores_of_0_give_the_mean_of_the_values_instead_of_silence(normal, dtype):
    """Often called silencing, but the head still outputs the mean of the values."""
    module, x, memory = MultiHeadAttention(D, H).to(dtype), normal(B, T, D), normal(B, S, D)
    mask = (SRC != 0)[:, None, None, :]
    with torch.no_grad():
        module.q_proj.weight[K : 2 * K] = 0
        module.q_proj.bias[K : 2 * K] = 0
    steps, speaking = module.steps(x, memory, mask), module(x, memory, mask)
    value = module.project(x, memory)[2][:, 1]
    real = mask[:, 0, 0, :, None]
    mean = (value * real).sum(dim=1, keepdim=True) / real.sum(dim=1, keepdim=True)
    assert not steps.scores[:, 1].any()
    assert_close(steps.output[:, 1], mean.expand(-1, T, -1))
    assert mean.abs().min() > 1e-3
    with silence_heads(module, [(0, 1)]):
        silent = module(x, memory, mask)
    assert_close(silent, cut(module, [("", 1)])(x, memory, mask))
    assert not torch.allclose(silent, speaking, atol=1e-3)


@each_residual
def test_a_silent_layer_adds_nothing(residual):
    model = make(Transformer, residual=residual)
    name = "decoder.layers.1"
    with silence_layers(model, [name]):
        record = residual_stream(model, SRC, TGT)
    of_layer = {n: step for n, step in record.steps.items() if n.startswith(name)}
    assert len(of_layer) == 3
    for part, step in record.steps.items():
        assert bool(step.added.any()) == (part not in of_layer)
    if residual == "pre":
        steps = list(of_layer.values())
        assert torch.equal(steps[0].carried, steps[-1].result)
    assert hooks(model) == 0


@pytest.mark.parametrize("layer", [0, "decoder.layers.0"])
def test_a_pre_norm_stack_without_a_layer_is_the_shorter_stack(layer):
    model = make(DecoderOnlyTransformer, residual="pre")
    with silence_layers(model, [layer]):
        silent = model(TGT)
    del model.decoder.layers[0]
    assert_close(silent, model(TGT))


def test_decoding_with_a_cache_is_silenced_too():
    model = make(DecoderOnlyTransformer, residual="pre")
    starts = TGT[:, :2]

    def continued(use_cache):
        return greedy(model, starts, eos_id=2, max_len=12, use_cache=use_cache)

    plain = continued(True)
    with silence_heads(model, CHOSEN):
        assert torch.equal(continued(True), continued(False))
    with silence_layers(model, [1]):
        assert torch.equal(continued(True), continued(False))
    assert torch.equal(continued(True), plain)


@each_model
def test_no_hook_is_left_after_an_error(kind):
    model = make(kind)
    layers = [next(iter(NAMES[kind])).rpartition(".")[0]]
    with pytest.raises(RuntimeError, match="on purpose"), silence_heads(model, heads_of(kind)):
        assert hooks(model) == len(NAMES[kind])
        with silence_layers(model, layers):
            assert hooks(model) > len(NAMES[kind])
            raise RuntimeError("on purpose")
    assert hooks(model) == 0
    wrong = [*heads_of(kind), (next(iter(NAMES[kind])), H)]
    with pytest.raises(ValueError, match="go from 0 to 2, got"), silence_heads(model, wrong):
        pass
    assert hooks(model) == 0


def test_other_hooks_are_kept():
    model, calls = make(EncoderOnlyTransformer), []
    model.encoder.layers[0].self_attention.out_proj.register_forward_pre_hook(
        lambda *_: calls.append(1)
    )
    with silence_heads(model, [(0, 0)]):
        model(SRC)
    model(SRC)
    assert calls == [1, 1] and hooks(model) == 1


@pytest.mark.parametrize("place", [1, "layers.1"])
def test_one_of_several_shared_layers_cannot_be_silenced(place):
    layer = make(EncoderOnlyTransformer).encoder.layers[0]
    model = Encoder([layer] * 2)
    words = r"own weights, got layers\.1.*, which is also layers\.0.*copy\.deepcopy"
    with pytest.raises(ValueError, match=words):
        silence_layers(model, [place])
    place = place if place == 1 else "layers.1.self_attention"
    with pytest.raises(ValueError, match=words):
        silence_heads(model, [(place, 0)])
    assert hooks(model) == 0
