"""Laws of T5's own parts: scores without 1/√K, a scaled output, a gate by GELU."""

import torch
from torch.testing import assert_close

from transformer_lite.layers import (
    GEGLU,
    KVCache,
    Linear,
    MultiHeadAttention,
    ScaledOutput,
    UnscaledAttention,
)

B, T, D, H, K = 2, 5, 12, 3, 4


def test_it_is_scaled_attention_whose_queries_are_larger_by_the_root(normal, dtype):
    unscaled, scaled = UnscaledAttention(D, H, K), MultiHeadAttention(D, H, bias=False)
    weights = unscaled.state_dict()
    scaled.load_state_dict(weights | {"q_proj.weight": weights["q_proj.weight"] * K**0.5})
    x = normal(B, T, D)
    unscaled, scaled = unscaled.to(dtype), scaled.to(dtype)
    assert_close(unscaled(x), scaled(x))
    steps = unscaled.steps(x)
    assert torch.equal(steps.scaled, steps.scores)


def test_heads_may_be_wider_than_their_share_and_decode_with_a_cache(normal, dtype):
    module, x = UnscaledAttention(D, 5, 7).to(dtype), normal(B, T, D)
    causal = torch.ones(T, T).tril().bool()
    whole, cache = module(x, mask=causal), KVCache()
    assert module.q_proj.weight.shape == (35, D) and module.out_proj.weight.shape == (D, 35)
    with torch.no_grad():
        steps = [module(x[:, i : i + 1], cache=cache) for i in range(T)]
    assert_close(torch.cat(steps, dim=1), whole)


def test_the_output_is_divided_by_the_root_of_the_width(normal, dtype):
    plain, scaled = Linear(D, 7, bias=False).to(dtype), ScaledOutput(D, 7, bias=False).to(dtype)
    scaled.load_state_dict(plain.state_dict())
    x = normal(B, T, D)
    assert_close(scaled(x), plain(x) / D**0.5)


def test_the_gate_opens_by_gelu(normal, dtype):
    module, x = GEGLU(D, 20).to(dtype), normal(B, T, D)
    gate = x @ module.gate.weight.T
    # 0.5 z (1 + tanh(√(2/π) (z + 0.044715 z³))), the formula of the released code
    inner = (2 / torch.pi) ** 0.5 * (gate + 0.044715 * gate**3)
    hidden = 0.5 * gate * (1 + inner.tanh()) * (x @ module.up.weight.T)
    assert_close(module(x), hidden @ module.down.weight.T)
