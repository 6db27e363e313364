"""Attention without weights, softmax(XXᵀ)X: what is left if nothing is learned."""

import torch
from torch.testing import assert_close

from transformer_lite import attention_steps, scaled_dot_product_attention
from transformer_lite.layers import dot_product_self_attention

B, T, K = 2, 5, 4


def test_it_is_softmax_of_x_xt_times_x(normal):
    x = normal(B, T, K)
    exp = (x[:, :, None] * x[:, None]).sum(-1).exp()
    expected = torch.einsum("bts,bsk->btk", exp / exp.sum(-1, keepdim=True), x)
    assert_close(dot_product_self_attention(x), expected)
    assert_close(dot_product_self_attention(x), scaled_dot_product_attention(x, x, x, scale=1.0))
    assert not torch.allclose(
        dot_product_self_attention(x), attention_steps(x, x, x).output, atol=1e-3
    )
