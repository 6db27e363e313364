"""The counts of an attention: against PyTorch's own counter, and as functions of their letters."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

from transformer_lite import MultiHeadAttention, merge_heads
from transformer_lite.layers import attention_cost

# B, T, S, D, H: all different, square, one long row, one token, one head.
SIZES = [(2, 5, 7, 12, 3), (3, 4, 4, 8, 2), (1, 64, 9, 16, 4), (4, 1, 1, 6, 6), (2, 3, 8, 10, 1)]

each_size = pytest.mark.parametrize("sizes", SIZES, ids=str)


# PyTorch has a formula for fused attention, but does not apply it to the CPU's kernel.
ON_THE_CPU = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: (
        lambda query, key, value, *rest, **named: sdpa_flop_count(query, key, value)
    )
}


def flops(function) -> int:
    with FlopCounterMode(display=False, custom_mapping=ON_THE_CPU) as counter:
        function()
    return counter.get_total_flops()


def inputs(sizes, dtype=torch.float32):
    batch, query_length, key_length, d_model, num_heads = sizes
    module = MultiHeadAttention(d_model, num_heads).to(dtype).eval()
    x = torch.randn(batch, query_length, d_model, dtype=dtype)
    return module, x, torch.randn(batch, key_length, d_model, dtype=dtype)


@each_size
def test_pytorch_counts_twice_our_multiply_adds(sizes):
    module, x, memory = inputs(sizes)
    expected = 2 * attention_cost(*sizes).multiply_adds
    assert flops(lambda: module(x, memory)) == expected
    assert flops(lambda: module.out_proj(merge_heads(module.steps(x, memory).output))) == expected


@each_size
def test_counts_of_the_parts_equal_half_of_pytorchs(sizes):
    module, x, memory = inputs(sizes)
    cost = attention_cost(*sizes)
    query, key, value = module.project(x, memory)
    weights = module.steps(x, memory).weights
    assert flops(lambda: query @ key.mT) == 2 * cost.score_multiply_adds
    assert flops(lambda: weights @ value) == 2 * cost.mixing_multiply_adds
    projected = flops(lambda: module.project(x, memory)) + flops(lambda: module.out_proj(x))
    assert projected == 2 * cost.projection_multiply_adds


@each_size
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_the_bytes_equal_those_of_the_tensors(sizes, dtype):
    module, x, memory = inputs(sizes, dtype)
    cost = attention_cost(*sizes, bytes_per_number=dtype.itemsize)
    assert cost.table_bytes == module.steps(x, memory).weights.nbytes
    matrices = [p for p in module.parameters() if p.ndim == 2]
    assert cost.weight_bytes == sum(matrix.nbytes for matrix in matrices)
    activations = (*module.project(x, memory), module(x, memory))
    assert cost.activation_bytes == sum(tensor.nbytes for tensor in activations)
