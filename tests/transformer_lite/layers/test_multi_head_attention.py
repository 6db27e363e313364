"""Laws of the multi-head module. B, H, T, S and K all differ."""

import pytest
import torch
from torch.testing import assert_close

from transformer_lite import (
    MultiHeadAttention,
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


def test_steps_lead_to_the_same_output(module, normal):
    x, memory, mask = normal(B, T, D), normal(B, S, D), padding_mask(PADDED)
    steps = module.steps(x, memory, mask)
    assert steps.scores.shape == (B, H, T, S)
    assert steps.output.shape == (B, H, T, K)
    assert_close(module.out_proj(merge_heads(steps.output)), module(x, memory, mask))


def test_permuting_the_tokens_permutes_the_output(module, normal):
    x, order = normal(B, T, D), torch.tensor([3, 0, 4, 1, 2])
    assert_close(module(x[:, order]), module(x)[:, order])


def test_dropout_applies_in_training_only(normal, dtype):
    module = MultiHeadAttention(D, H, dropout=0.5).to(dtype)
    x = normal(B, T, D)
    assert not torch.equal(module(x), module(x))
    resting = module.eval()(x)
    assert torch.equal(resting, module(x))
    heads = scaled_dot_product_attention(*module.project(x))
    assert_close(resting, module.out_proj(merge_heads(heads)))
