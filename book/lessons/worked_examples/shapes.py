"""Projections, heads and widths: the entries that a shape decides."""

import torch
from torch import Tensor

from lessons.worked_examples.attention import divisor
from lessons.worked_examples.registry import computes
from transformer_lite.layers.attention import scaled_dot_product_attention
from transformer_lite.layers.multi_head import MultiHeadAttention, merge_heads, split_heads


@computes("embedding-size-4")
def embedding_size(x: Tensor) -> int:
    """Return the number of entries of an embedding."""
    return x.shape[-1]


@computes("qkv-cat", "qkv-sat", "mask-qkv-identity")
def projection(embedding: Tensor, weight: Tensor) -> Tensor:
    """Multiply an embedding by a weight matrix."""
    return embedding @ weight


@computes("identity-3x3-for-4-dim")
def identity_projection(shortened: Tensor, embedding: Tensor) -> dict[str, object]:
    """Multiply by the 3×3 and the 4×4 identity, where the shapes allow it."""
    three, four = torch.eye(3, dtype=torch.float64), torch.eye(4, dtype=torch.float64)
    return {
        "[1, 0, 1] times the 3×3 identity, as printed": shortened @ three,
        "E_The times the 4×4 identity": embedding @ four,
        "E_The times the 3×3 identity exists": can_multiply(embedding, three),
    }


@computes("wq-shape-n-by-dk")
def projection_shapes(**sizes: int) -> dict[str, object]:
    """Find which shape a projection matrix must have, from the sizes N, D and D_k."""
    n, d, d_k = sizes["N"], sizes["D"], sizes["D_k"]
    x, fitting = torch.zeros(n, d), torch.zeros(d, d_k)
    return {
        "X times a matrix of N × D_k exists": can_multiply(x, torch.zeros(n, d_k)),
        "X times a matrix of D × D_k exists": can_multiply(x, fitting),
        "shape of the product": (x @ fitting).shape,
    }


@computes("dk-equals-d")
def head_width(d_model: int, num_heads: int) -> dict[str, int]:
    """Return the width of a single head, and of one of several."""
    return {
        "width of a single head": head_size(d_model, 1),
        "width of one of 8 heads": head_size(d_model, num_heads),
    }


@computes("paper-dims-512-8-64")
def paper_dimensions(d_model: int, num_heads: int) -> dict[str, object]:
    """Return the widths of the paper's model and heads, and the divisor of its scores."""
    d_k = head_size(d_model, num_heads)
    return {"d_model": d_model, "heads": num_heads, "d_k": d_k, "√d_k": divisor(d_k)}


@computes("wo-shape-hdv-by-d")
def output_projection(d_model: int, num_heads: int, length: int) -> dict[str, object]:
    """Return the shapes of W^(o) and of the output of multi-head attention."""
    with torch.device("meta"):  # shapes without numbers
        layer = MultiHeadAttention(d_model, num_heads, bias=False)
        output = layer(torch.zeros(1, length, d_model))
    return {"shape of W^(o)": layer.out_proj.weight.shape, "shape of Y": output[0].shape}


@computes("algorithm-2-multi-head")
def heads_one_by_one(x: Tensor, num_heads: int) -> dict[str, object]:
    """Compare heads computed together with heads computed one by one."""
    width = x.shape[-1]
    query, key, value = (x[None] @ weight for weight in random_weights(3, width, width))
    q, k, v = (split_heads(part, num_heads) for part in (query, key, value))
    batched = merge_heads(scaled_dot_product_attention(q, k, v))
    looped = [
        scaled_dot_product_attention(q[:, head], k[:, head], v[:, head])
        for head in range(num_heads)
    ]
    return {
        "shape of Y": batched[0].shape,
        "largest difference of loop and batch": (batched - torch.cat(looped, -1)).abs().max(),
    }


@computes("dv-equals-d-allows-residual")
def residual_widths(x: Tensor) -> dict[str, bool]:
    """Find for which width of the values x and the output can be added."""
    wide, narrow = (scaled_dot_product_attention(x, x, x[:, :width]) for width in (4, 2))
    return {"X + Y exists for D_v = 4": can_add(x, wide), "for D_v = 2": can_add(x, narrow)}


@computes("cross-attention-concatenation")
def cross_attention_shapes(
    d_model: int, source_length: int, target_length: int
) -> dict[str, object]:
    """Return the shapes of the context, joined with the target and added to it."""
    memory = torch.ones(source_length, d_model)
    x = torch.ones(target_length, d_model)
    context = scaled_dot_product_attention(x, memory, memory)
    return {
        "shape of the context": context.shape,
        "shape when concatenated": torch.cat([context, x], dim=-1).shape,
        "shape when added": (context + x).shape,
    }


@computes("var-of-dot-product")
def variance_of_dot_products(widths: Tensor, samples: int, seed: int) -> dict[str, float]:
    """Estimate the variance of random dot products in each of these widths."""
    generator = torch.Generator().manual_seed(seed)

    def variance(width: int) -> float:
        query, key = torch.randn(2, samples, width, generator=generator, dtype=torch.float64)
        return round(float((query * key).sum(dim=-1).var()), 4)

    return {f"variance for D_k = {width}": variance(width) for width in widths.tolist()}


def head_size(d_model: int, num_heads: int) -> int:
    """Return the width of one head."""
    return split_heads(torch.zeros(1, 1, d_model), num_heads).shape[-1]


def random_weights(*shape: int) -> Tensor:
    """Return normal random numbers, the same at every call."""
    generator = torch.Generator().manual_seed(0)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def can_multiply(a: Tensor, b: Tensor) -> bool:
    """Return whether the matrix product of `a` and `b` exists."""
    return a.shape[-1] == b.shape[0]


def can_add(a: Tensor, b: Tensor) -> bool:
    """Return whether `a` and `b` have one shape, as a residual connection needs."""
    return a.shape == b.shape
