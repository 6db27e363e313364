"""LoRA: nothing changes at the start, only A and B learn, and merging changes no output."""

import copy

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_lite.layers import Linear, LowRank

B, T, D, E, RANK, ALPHA = 2, 5, 6, 4, 3, 7.0


def trained(kind=nn.Linear, bias=True) -> LowRank:
    """A layer whose B is no longer zero, with α ≠ r and D ≠ E."""
    torch.manual_seed(0)
    layer = LowRank(kind(D, E, bias=bias).double(), RANK, ALPHA)
    nn.init.normal_(layer.up)
    return layer


X = torch.randn(B, T, D, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def test_at_the_start_the_output_is_not_changed():
    linear = nn.Linear(D, E).double()
    before = linear(X)
    assert torch.equal(LowRank(linear, RANK, ALPHA)(X), before)


@pytest.mark.parametrize("kind", [nn.Linear, Linear])
@pytest.mark.parametrize("bias", [True, False])
def test_the_change_is_alpha_over_rank_times_b_a(kind, bias):
    layer = trained(kind, bias)
    change = ALPHA / RANK * layer.up @ layer.down
    assert_close(layer(X) - layer.base(X), X @ change.T)
    assert torch.linalg.matrix_rank(change) == RANK


@pytest.mark.parametrize("kind", [nn.Linear, Linear])
@pytest.mark.parametrize("bias", [True, False])
def test_merged_weights_give_the_same_outputs(kind, bias):
    layer = trained(kind, bias)
    before = copy.deepcopy(layer.state_dict())
    merged = layer.merge()
    assert type(merged) is kind
    assert_close(merged(X), layer(X), atol=1e-12, rtol=0)
    assert not torch.allclose(merged(X), layer.base(X), atol=0.1)
    # Merged again, the change is not added twice: the first merge has left the layer alone.
    assert torch.equal(layer.merge().weight, merged.weight)
    assert all(torch.equal(now, before[name]) for name, now in layer.state_dict().items())
    assert all(p.requires_grad for p in merged.parameters())
    assert merged.weight.data_ptr() != layer.base.weight.data_ptr()


def test_only_a_and_b_learn():
    layer = trained()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    before = copy.deepcopy(layer.state_dict())
    layer(X).square().mean().backward()
    optimizer.step()
    moved = {name for name, now in layer.state_dict().items() if not torch.equal(now, before[name])}
    assert moved == {"down", "up"}
    learning = sum(p.numel() for p in layer.parameters() if p.requires_grad)
    assert learning == RANK * (D + E)
