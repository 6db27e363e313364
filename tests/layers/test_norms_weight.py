"""Laws of weight normalization: a row has the direction of one parameter, the length of another."""

import copy

import pytest
import torch
from norm_parity import B, D, T, assert_agree, assert_laws, close, every_dtype, gradients
from torch import nn
from torch.nn.utils.parametrizations import weight_norm as torch_weight_norm
from torch.testing import assert_close

from transformer_lite.layers.norms import WeightNormLinear, weight_norm

M = 7


@every_dtype
def test_weight_norm_equals_torch(normal):
    def theirs(direction, magnitude):
        return torch._weight_norm(direction, magnitude[:, None], 0)

    assert_agree(weight_norm, theirs, normal(M, D), normal(M))


def test_a_row_of_zeros_or_nan_gives_nan_and_spoils_no_other(normal):
    v, g = normal(M, D), normal(M)
    expected = weight_norm(v, g)
    v[2], v[4, 1] = 0.0, torch.nan
    found = weight_norm(v, g)
    assert found[[2, 4]].isnan().all()
    found[[2, 4]] = expected[[2, 4]]
    assert torch.equal(found, expected)


def test_the_laws_of_every_form(normal):
    assert_laws(weight_norm, normal(M, D), normal(M))


@every_dtype
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("shape", [(D,), (T, D), (B, T, D)])
def test_the_module_equals_torch(bias, training, shape, normal, dtype):
    linear = nn.Linear(D, M, bias=bias).to(dtype)
    ours = WeightNormLinear(linear).train(training)
    theirs = torch_weight_norm(copy.deepcopy(linear)).train(training)
    factor = normal(M).abs() + 0.5
    with torch.no_grad():
        ours.magnitude *= factor
        theirs.parametrizations.weight.original0 *= factor[:, None]
    x = normal(*shape)
    mine, yours = x.detach().requires_grad_(), x.detach().requires_grad_()
    output, expected = ours(mine), theirs(yours)
    close(output, expected)
    weight = theirs.parametrizations.weight
    pairs = [(mine, yours), (ours.direction, weight.original1), (ours.magnitude, weight.original0)]
    pairs += [(ours.bias, theirs.bias)] if bias else []
    inputs, others = zip(*pairs, strict=True)
    for found, wanted in zip(gradients(output, inputs), gradients(expected, others), strict=True):
        close(found, wanted.view(found.shape))


def test_it_starts_as_the_layer_it_is_made_from_and_leaves_that_alone(normal, dtype):
    linear, x = nn.Linear(D, M).to(dtype), normal(B, T, D)
    before = linear(x)
    ours = WeightNormLinear(linear)
    assert_close(ours(x), before)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter += 1
    assert not torch.allclose(ours(x), before, atol=0.1)
    assert torch.equal(linear(x), before)


def test_its_parameters_learn_and_are_named():
    shapes = {
        name: tuple(p.shape) for name, p in WeightNormLinear(nn.Linear(D, M)).named_parameters()
    }
    assert shapes == {"direction": (M, D), "magnitude": (M,), "bias": (M,)}
    without = WeightNormLinear(nn.Linear(D, M, bias=False))
    assert without.bias is None and "bias" in without._parameters
    assert all(parameter.requires_grad for parameter in without.parameters())


def test_no_tokens_give_no_tokens():
    assert WeightNormLinear(nn.Linear(D, M))(torch.zeros(B, 0, D)).shape == (B, 0, M)
