"""Laws of T5's own parts: scores without 1/√K, a scaled output, a gate by GELU."""

import torch
from torch.testing import assert_close

from transformer_lite.layers import (
    KVCache,
    MultiHeadAttention,
    UnscaledAttention,
)

B, T, D, H, K = 2, 5, 12, 3, 4


def test_unscaled_equals_scaled_attention_with_queries_times_root_k(normal, dtype):
    unscaled, scaled = UnscaledAttention(D, H, K), MultiHeadAttention(D, H, bias=False)
    weights = unscaled.state_dict()
    scaled.load_state_dict(weights | {"q_proj.weight": weights["q_proj.weight"] * K**0.5})
    x = normal(B, T, D)
    unscaled, scaled = unscaled.to(dtype), scaled.to(dtype)
    assert_close(unscaled(x), scaled(x))
    steps = unscaled.steps(x)
    assert torch.equal(steps.scaled, steps.scores)


def test_heads_wider_than_d_model_over_heads_decode_with_a_cache(normal, dtype):
    module, x = UnscaledAttention(D, 5, 7).to(dtype), normal(B, T, D)
    causal = torch.ones(T, T).tril().bool()
    whole, cache = module(x, mask=causal), KVCache()
    assert module.q_proj.weight.shape == (35, D) and module.out_proj.weight.shape == (D, 35)
    with torch.no_grad():
        steps = [module(x[:, i : i + 1], cache=cache) for i in range(T)]
    assert_close(torch.cat(steps, dim=1), whole)
