"""The decoder's fast form: one token at a time, with everything looked up beforehand.

A step of decoding multiplies little. On a CPU most of its time would go into finding modules and
weights and checking shapes, the same ones every time. Here that happens once, before the first
step; what remains are the operations themselves. The teaching form is the model itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.decoder import Decoder, DecoderCache
from transformer_lite.feedforward import FeedForward
from transformer_lite.linear import linear
from transformer_lite.multi_head import KVCache, MultiHeadAttention
from transformer_lite.norms import LayerNorm
from transformer_lite.residual import DeepNorm, PostNorm, PreNorm
from transformer_lite.transformer import DecoderOnlyTransformer, Transformer

Mask = Tensor | None


def decoding_step(
    model: Transformer | DecoderOnlyTransformer,
    cache: DecoderCache,
    memory_mask: Bool[Tensor, "B 1 1 S"] | None = None,
) -> Callable[[Integer[Tensor, "B 1"]], Float[Tensor, "B V"]]:
    """Prepare a model for many steps of one token each.

    Args:
        model: in evaluation mode; it must not change while the steps are taken.
        cache: what a pass over the beginning of the target has left in it.
        memory_mask: which source tokens are no pads; None means all.

    Returns:
        A function of the newest token of each row, shape (B, 1). It extends the cache and returns
        the logits of the token after it, shape (B, V).
    """
    embedding = model.tgt_embedding if isinstance(model, Transformer) else model.embedding
    table, scale = embedding.table.weight, math.sqrt(embedding.table.embedding_dim)
    sublayers = _sublayers(model.decoder, cache, memory_mask)
    norm, pad_id = _norm(model.decoder.norm), model.config.pad_id
    # The largest matrix by far: laid out once the way in which all steps read it.
    output = model.output.weight.t().contiguous()

    def step(ids: Tensor) -> Tensor:
        x = embedding.positions.embed(F.embedding(ids, table) * scale, cache.length)
        mask = cache.extend((ids != pad_id)[:, None, None, :])
        for sublayer in sublayers:
            x = sublayer(x, mask)
        return norm(x).squeeze(1) @ output

    return step


def _sublayers(decoder: Decoder, cache: DecoderCache, memory_mask: Mask) -> list[Callable]:
    """Return every sub-layer in its residual connection, as a function of tokens and mask."""
    sublayers = []
    for layer, target, memory in zip(decoder.layers, cache.target, cache.memory, strict=True):
        attend = _self_attention(layer.self_attention, target)
        sublayers.append(_residual(layer.self_attention_residual, attend))
        if layer.cross_attention is not None:
            cross = _cross_attention(layer.cross_attention, memory, memory_mask)
            sublayers.append(_residual(layer.cross_attention_residual, cross))
        sublayers.append(_residual(layer.feed_forward_residual, _feed_forward(layer.feed_forward)))
    return sublayers


def _self_attention(attention: MultiHeadAttention, cache: KVCache) -> Callable:
    # One product gives query, key and value together.
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    weight = torch.cat([projection.weight for projection in projections])
    bias = attention.q_proj.bias
    if bias is not None:
        bias = torch.cat([projection.bias for projection in projections])
    merge, positions = _merge(attention), attention.positions
    heads, width = attention.num_heads, attention.d_model // attention.num_heads

    def run(x: Tensor, mask: Mask) -> Tensor:
        start = cache.length
        parts = linear(x, weight, bias).view(-1, 3, heads, 1, width)
        query, key, value = parts.unbind(1)
        query, key = positions.rotate(query, start), positions.rotate(key, start)
        key, value = cache.append(key, value)
        offsets = positions.bias(query, start + 1, start)
        if offsets is not None:
            mask = offsets if mask is None else offsets.masked_fill(~mask, -torch.inf)
        return merge(F.scaled_dot_product_attention(query, key, value, mask))

    return run


def _cross_attention(attention: MultiHeadAttention, cache: KVCache, mask: Mask) -> Callable:
    weight, bias = attention.q_proj.weight, attention.q_proj.bias
    merge, heads = _merge(attention), attention.num_heads
    width = attention.d_model // heads

    def run(x: Tensor, _: Mask) -> Tensor:
        query = linear(x, weight, bias).view(-1, heads, 1, width)
        return merge(F.scaled_dot_product_attention(query, *cache.tensors(), mask))

    return run


def _merge(attention: MultiHeadAttention) -> Callable[[Tensor], Tensor]:
    """Return the end of an attention: the heads of the one token side by side, projected."""
    weight, bias = attention.out_proj.weight, attention.out_proj.bias
    width = attention.d_model
    return lambda heads: linear(heads.reshape(-1, 1, width), weight, bias)


def _feed_forward(feed_forward: nn.Module) -> Callable:
    if type(feed_forward) is not FeedForward:
        return lambda x, _: feed_forward(x)
    up, down, activation = feed_forward.up, feed_forward.down, feed_forward.activation
    into, out = (up.weight, up.bias), (down.weight, down.bias)
    return lambda x, _: linear(activation(linear(x, *into)), *out)


def _residual(residual: PostNorm, run: Callable) -> Callable:
    norm = _norm(residual.norm)
    if type(residual) is PreNorm:
        return lambda x, mask: x + run(norm(x), mask)
    if type(residual) is DeepNorm:
        return lambda x, mask: norm(residual.alpha * x + run(x, mask))
    if type(residual) is PostNorm:
        return lambda x, mask: norm(x + run(x, mask))
    return lambda x, mask: residual(x, lambda x: run(x, mask))  # a recipe from elsewhere


def _norm(norm: nn.Module) -> Callable[[Tensor], Tensor]:
    if type(norm) is not LayerNorm:
        return norm
    weight, bias, eps = norm.weight, norm.bias, norm.eps
    return lambda x: F.layer_norm(x, weight.shape, weight, bias, eps)
