"""Laws of the multi-head module. B, H, T, S and K all differ."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_lite import (
    MultiHeadAttention,
    look_ahead_mask,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
)

B, H, T, S, K = 2, 3, 5, 7, 4
D = H * K
PADDED = torch.tensor([[1, 2, 3, 4, 5, 6, 7], [8, 9, 3, 0, 0, 0, 0]])


@pytest.fixture
def module(dtype):
    return MultiHeadAttention(D, H).to(dtype).eval()


def torch_twin(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    """PyTorch's own module with the same weights."""
    bias = ours.q_proj.bias is not None
    theirs = nn.MultiheadAttention(D, H, bias=bias, batch_first=True).to(ours.q_proj.weight).eval()
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
        if bias:
            theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
    return theirs


@pytest.mark.parametrize("bias", [True, False])
def test_cross_attention_equals_torch(bias, normal, dtype):
    ours = MultiHeadAttention(D, H, bias=bias).to(dtype).eval()
    for parameter in ours.parameters():
        nn.init.normal_(parameter)  # biases start at 0, where a forgotten one would not show
    x, memory = normal(B, T, D), normal(B, S, D)
    # PyTorch's masks say True = may NOT attend.
    blocked = torch_twin(ours)(
        x, memory, memory, key_padding_mask=PADDED == 0, average_attn_weights=False
    )
    output = ours(x, memory, padding_mask(PADDED))
    assert_close(output, blocked[0], atol=1e-5, rtol=1e-5)
    assert_close(ours.steps(x, memory, padding_mask(PADDED)).weights, blocked[1])


@pytest.mark.parametrize("need_weights", [True, False])
def test_causal_self_attention_equals_torch(need_weights, module, normal):
    x = normal(B, T, D)
    theirs, weights = torch_twin(module)(
        x, x, x, attn_mask=~look_ahead_mask(T), need_weights=need_weights
    )
    assert_close(module(x, mask=look_ahead_mask(T)), theirs)
    if need_weights:
        assert_close(module.steps(x, mask=look_ahead_mask(T)).weights.mean(dim=1), weights)


def test_steps_lead_to_the_same_output(module, normal):
    x, memory, mask = normal(B, T, D), normal(B, S, D), padding_mask(PADDED)
    steps = module.steps(x, memory, mask)
    assert steps.scores.shape == (B, H, T, S)
    assert steps.output.shape == (B, H, T, K)
    assert_close(module.out_proj(merge_heads(steps.output)), module(x, memory, mask))


def test_the_future_cannot_change_the_past(module, normal):
    x = normal(B, T, D)
    before = module(x, mask=look_ahead_mask(T))
    for t in range(1, T):
        changed = x.clone()
        changed[:, t:] += 10.0
        after = module(changed, mask=look_ahead_mask(T))
        assert torch.equal(after[:, :t], before[:, :t])
        assert not torch.equal(after[:, t:], before[:, t:])


def test_tokens_have_no_order_of_their_own(module, normal):
    x, order = normal(B, T, D), torch.tensor([3, 0, 4, 1, 2])
    assert_close(module(x[:, order]), module(x)[:, order])


def test_dropout_works_in_training_and_rests_in_evaluation(normal, dtype):
    module = MultiHeadAttention(D, H, dropout=0.5).to(dtype)
    x = normal(B, T, D)
    assert not torch.equal(module(x), module(x))
    resting = module.eval()(x)
    assert torch.equal(resting, module(x))
    heads = scaled_dot_product_attention(*module.project(x))
    assert_close(resting, module.out_proj(merge_heads(heads)))


def test_training_without_dropout_equals_evaluation(module, normal):
    x = normal(B, T, D)
    assert torch.equal(module.train()(x), module.eval()(x))


def test_without_bias_there_are_four_matrices_and_nothing_else():
    shapes = {
        name: tuple(p.shape) for name, p in MultiHeadAttention(8, 2, bias=False).named_parameters()
    }
    assert shapes == {f"{name}_proj.weight": (8, 8) for name in ("q", "k", "v", "out")}


@pytest.mark.parametrize("call", ["forward", "steps", "project"])
def test_an_error_begins_with_the_name_of_the_argument(call, module, normal):
    attend, x = getattr(module, call), normal(B, T, D)
    with pytest.raises(TypeError, match=r"^x must be a torch.Tensor, got NoneType"):
        attend(None, x)
    with pytest.raises(ValueError, match=r"^memory must have shape \(B, S, 12\), got \(2, 5, 4\)"):
        attend(x, x[..., :K])
