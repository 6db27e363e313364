"""A mixture of experts equals the dense sum with the same gates, and published models' blocks."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from transformers import MixtralConfig, Qwen3MoeConfig
from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock
from transformers.models.qwen3_moe.modeling_qwen3_moe import Qwen3MoeSparseMoeBlock

from transformer_lite.layers import FeedForward, MixtureOfExperts, SwiGLU

B, T, D, HIDDEN, EXPERTS = 2, 7, 6, 5, 4
X = torch.randn(B, T, D, generator=torch.Generator().manual_seed(3))


def mixture(chosen, kind=FeedForward):
    torch.manual_seed(1)
    return MixtureOfExperts(D, [kind(D, HIDDEN) for _ in range(EXPERTS)], chosen)


@pytest.mark.parametrize("chosen", [1, 2, 4])
@pytest.mark.parametrize("kind", [FeedForward, SwiGLU])
def test_it_equals_all_experts_weighted_by_the_gates(chosen, kind):
    layer = mixture(chosen, kind)
    dense = torch.stack([expert(X) for expert in layer.experts], dim=-1)
    assert_close(layer(X), (dense * layer.gates(X)[..., None, :]).sum(dim=-1))


@pytest.mark.parametrize("chosen", [1, 2, 3, 4])
def test_gates_sum_to_one_over_the_best_experts(chosen):
    layer = mixture(chosen)
    gates, scores = layer.gates(X), layer.router(X)
    assert gates.shape == (B, T, EXPERTS)
    assert_close(gates.sum(dim=-1), torch.ones(B, T))
    assert ((gates > 0).sum(dim=-1) == chosen).all()
    worst_chosen = scores.masked_fill(gates == 0, torch.inf).amin(dim=-1)
    best_left = scores.masked_fill(gates > 0, -torch.inf).amax(dim=-1)
    assert (worst_chosen >= best_left).all()


class Counting(nn.Module):
    """An expert that notes how many tokens it saw."""

    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        self.seen += x.shape[0]
        return x


def test_each_token_is_computed_by_its_chosen_experts_only():
    experts = [Counting() for _ in range(EXPERTS)]
    y = MixtureOfExperts(D, experts, num_chosen=3)(X)
    assert sum(expert.seen for expert in experts) == 3 * B * T
    assert_close(y, X)  # the gates sum to 1


COMMON = {"hidden_size": D, "num_experts_per_tok": 2}
MIXTRAL = MixtralConfig(**COMMON, intermediate_size=HIDDEN, num_local_experts=EXPERTS)
QWEN3 = Qwen3MoeConfig(
    **COMMON, moe_intermediate_size=HIDDEN, num_experts=EXPERTS, norm_topk_prob=True
)


@pytest.mark.parametrize(
    ("block", "config"),
    [(MixtralSparseMoeBlock, MIXTRAL), (Qwen3MoeSparseMoeBlock, QWEN3)],
    ids=["Mixtral", "Qwen3"],
)
def test_it_equals_the_block_of_a_published_model(block, config):
    torch.manual_seed(4)
    theirs = block(config).eval()
    for parameter in theirs.parameters():
        nn.init.normal_(parameter)
    ours = mixture(2, SwiGLU)
    with torch.no_grad():
        ours.router.weight.copy_(theirs.gate.weight)
        for expert, up, down in zip(
            ours.experts, theirs.experts.gate_up_proj, theirs.experts.down_proj, strict=True
        ):
            expert.gate.weight.copy_(up[:HIDDEN])
            expert.up.weight.copy_(up[HIDDEN:])
            expert.down.weight.copy_(down)
        wanted = theirs(X)
        assert len(set(ours.gates(X).argmax(dim=-1).flatten().tolist())) > 1
        assert_close(ours(X), wanted, atol=1e-5, rtol=1e-5)


def test_the_router_and_only_the_chosen_experts_get_gradients():
    layer = mixture(2)
    layer(X).square().sum().backward()
    used = (layer.gates(X) > 0).any(dim=1).any(dim=0)
    assert layer.router.weight.grad.any()
    for expert, was_used in zip(layer.experts, used, strict=True):
        assert bool(expert.down.weight.grad.any()) == bool(was_used)


@pytest.mark.parametrize("x", [X, X.bfloat16()], ids=["float32", "bfloat16"])
def test_autocast_is_close_to_single_precision(x):
    layer = mixture(4)  # all are chosen: rounding cannot change which
    with torch.autocast("cpu", torch.bfloat16):
        short = layer(x)
    assert short.dtype == x.dtype
    assert_close(short.float(), layer(X), atol=0.02, rtol=0.05)
