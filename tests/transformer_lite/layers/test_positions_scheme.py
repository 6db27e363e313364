"""A scheme acts at one hook and leaves the others alone; without a scheme, none acts."""

import inspect

import pytest
import torch
from torch import nn

from transformer_lite.layers.positions import (
    ALiBi,
    LearnedPositions,
    PositionScheme,
    Rotary,
    ShawRelative,
    SinusoidalPositions,
    T5Relative,
)

B, H, T, S, K = 2, 3, 5, 7, 4
D = H * K

SCHEMES = [
    pytest.param(PositionScheme(), None, id="none"),
    pytest.param(SinusoidalPositions(D), "embed", id="sinusoidal"),
    pytest.param(LearnedPositions(D, max_len=12), "embed", id="learned"),
    pytest.param(Rotary(), "rotate", id="rotary"),
    pytest.param(T5Relative(H), "bias", id="t5"),
    pytest.param(ShawRelative(K), "bias", id="shaw"),
    pytest.param(ALiBi(H), "bias", id="alibi"),
]
each_scheme = pytest.mark.parametrize(("scheme", "acts_at"), SCHEMES)


@each_scheme
@pytest.mark.parametrize("start", [0, 4])
def test_a_scheme_acts_only_at_its_own_hook(scheme, acts_at, start):
    x, query = torch.randn(B, T, D), torch.randn(B, H, T, K)
    acted = {
        "embed": not torch.equal(scheme.embed(x, start), x),
        "rotate": not torch.equal(scheme.rotate(query, start), query),
        "bias": scheme.bias(query, S, start) is not None,
    }
    assert acted == {hook: hook == acts_at for hook in acted}


@each_scheme
def test_every_hook_takes_the_same_arguments_and_starts_at_0(scheme, acts_at):
    x, query = torch.randn(B, T, D), torch.randn(B, H, T, K)
    assert torch.equal(scheme.embed(x), scheme.embed(x=x, start=0))
    assert torch.equal(scheme.rotate(query), scheme.rotate(x=query, start=0))
    if acts_at == "bias":
        bias = scheme.bias(query, S)
        assert torch.equal(bias, scheme.bias(query=query, key_length=S, start=0))
        assert bias.broadcast_to(B, H, T, S).shape == (B, H, T, S)


@each_scheme
@pytest.mark.parametrize("hook", ["embed", "rotate", "bias"])
def test_a_hook_has_the_arguments_and_defaults_of_the_one_it_overrides(scheme, acts_at, hook):
    def arguments(kind):
        parameters = inspect.signature(getattr(kind, hook)).parameters.values()
        return [(parameter.name, parameter.default) for parameter in parameters]

    assert arguments(type(scheme)) == arguments(PositionScheme)


@each_scheme
def test_a_scheme_is_registered_as_a_submodule(scheme, acts_at):
    learned = {name for name, _ in nn.ModuleList([scheme]).named_parameters()}
    expected = {
        LearnedPositions: {"0.table"},
        T5Relative: {"0.table.weight"},
        ShawRelative: {"0.table.weight"},
    }
    assert learned == expected.get(type(scheme), set())
    assert scheme.state_dict().keys() == {name.removeprefix("0.") for name in learned}


@each_scheme
@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_dtype_of_the_input_is_kept(scheme, acts_at, kind):
    query = torch.ones(B, H, T, K, dtype=kind)
    assert scheme.rotate(query).dtype == kind
    if acts_at == "bias":
        assert scheme.bias(query, S).dtype == kind
    if not isinstance(scheme, LearnedPositions):  # its dtype must match, and test_checks says so
        assert scheme.embed(torch.ones(B, T, D, dtype=kind)).dtype == kind
