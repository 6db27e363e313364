"""A state-space layer: recurrence and convolution agree, it is linear, causal and shift-free."""

import pytest
import torch
from torch.testing import assert_close

from transformer_lite.layers import DiagonalStateSpace

B, T, D, N = 2, 11, 4, 3


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return DiagonalStateSpace(D, N).double()


@pytest.fixture
def x():
    return torch.randn(B, T, D, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("length", [1, 2, 11, 64])
def test_the_recurrence_is_the_convolution(layer, length):
    x = torch.randn(B, length, D, dtype=torch.float64)
    assert_close(layer.recurrence(x), layer.convolution(x), atol=1e-12, rtol=1e-10)
    assert torch.equal(layer(x), layer.convolution(x))


def test_the_convolution_equals_the_sum_over_its_kernel(layer, x):
    kernel = layer.kernel(T)
    assert kernel.shape == (D, T)
    wanted = layer.skip * x
    for t in range(T):
        for s in range(t + 1):
            wanted[:, t] += kernel[:, t - s] * x[:, s]
    assert_close(layer.convolution(x), wanted)


def test_a_state_follows_its_differential_equation(layer):
    """While x stays 1, h′ = −λ h + x has the solution (1 − e^{−λ t})/λ."""
    rates, step = layer.log_rates.exp(), layer.log_step.exp()
    state, one = layer.start(1), torch.ones(1, D, dtype=torch.float64)
    for t in range(1, 6):
        _, state = layer.step(one, state)
        assert_close(state[0], (1 - (-rates * step * t).exp()) / rates)


def test_stepping_token_by_token_equals_the_whole_sequence(layer, x):
    state, outputs = layer.start(B), []
    for token in x.unbind(dim=1):
        output, state = layer.step(token, state)
        outputs.append(output)
    assert state.shape == (B, D, N)
    assert_close(torch.stack(outputs, dim=1), layer(x))


def test_recurrence_and_convolution_have_the_same_gradients(layer, x):
    found = []
    for way in (layer.recurrence, layer.convolution):
        layer.zero_grad()
        way(x).square().mean().backward()
        found.append([p.grad.clone() for p in layer.parameters()])
    assert len(found[0]) == 4
    assert all(gradient.any() for gradient in found[0])
    assert_close(found[0], found[1], atol=1e-12, rtol=1e-9)
