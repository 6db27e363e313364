"""One step of decoding, with everything looked up beforehand.

A step multiplies little. On a CPU most of its time would go into finding modules and weights and
checking shapes, the same ones every time. Here that happens once, before the first step; what
remains are the operations themselves.

Each function prepares the fast form of one part, which that part's `fast_step` offers. The plain
form is the part's `forward`. A prepared step reads the weights that the part had when it was
prepared. It keeps some weights, laid out anew: when weights change, prepare it again. When parts
change, :class:`~transformer_lite.decoding.NextToken` does so (see fast/exact.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer_lite.fast.exact import fast_step, is_exactly, step_of
from transformer_lite.fast.linear import linear

Mask = Tensor | None
Step = Callable[[Tensor], Tensor]
# A sub-layer sees the new token of each row, and which tokens so far are not padding.
MaskedStep = Callable[[Tensor, Mask], Tensor]


def linear_step(part: Any) -> Step:
    """Prepare x Wᵀ + b."""
    weight, bias = part.weight, part.bias
    return lambda x: linear(x, weight, bias)


def output_step(part: Any, linear_kind: type) -> Step:
    """Prepare the last linear layer. Its matrix is by far the largest, so it is transposed once."""
    if not is_exactly(part, linear_kind):
        return part
    weight, bias = part.weight.t().contiguous(), part.bias
    return lambda x: x @ weight if bias is None else x @ weight + bias


def layer_norm_step(part: Any) -> Step:
    """Prepare a layer normalization."""
    weight, bias, eps = part.weight, part.bias, part.eps
    return lambda x: F.layer_norm(x, weight.shape, weight, bias, eps)


def feed_forward_step(part: Any) -> Step:
    """Prepare the two layers of a feed-forward, without dropout."""
    up, down = step_of(part.up), step_of(part.down)
    return lambda x: down(part.activation(up(x)))


def attention_step(
    part: Any, linear_kind: type, cache: Any, memory_mask: Mask, memory: Mask
) -> MaskedStep | None:
    """Prepare a multi-head attention, or return None if only its plain form can run.

    The projections must be plain linear layers of `linear_kind` from width D to width D, all with
    a bias or all without. In cross-attention the cache must hold the memory already.
    """
    projections = (part.q_proj, part.k_proj, part.v_proj)
    square = (part.d_model, part.d_model)
    if not all(is_exactly(p, linear_kind) and p.weight.shape == square for p in projections):
        return None
    if memory is not None:
        return cross_attention_step(part, cache, memory_mask) if cache.length else None
    same_bias = len({projection.bias is None for projection in projections}) == 1
    return self_attention_step(part, cache) if same_bias else None


def self_attention_step(part: Any, cache: Any) -> MaskedStep:
    """Prepare an attention to what its cache holds: one product gives query, key and value."""
    projections = (part.q_proj, part.k_proj, part.v_proj)
    weight = torch.cat([projection.weight for projection in projections])
    biases = [projection.bias for projection in projections]
    bias = None if biases[0] is None else torch.cat(biases)
    merge, positions = _merge_step(part), part.positions
    heads, width = part.num_heads, part.d_model // part.num_heads

    def run(x: Tensor, mask: Mask) -> Tensor:
        start = cache.length
        parts = linear(x, weight, bias).view(-1, 3, heads, 1, width)
        query, key, value = parts.unbind(1)
        query, key = positions.rotate(query, start), positions.rotate(key, start)
        key, value = cache.append(key, value)
        offsets = positions.bias(query, start + 1, start)
        if offsets is not None:
            offsets = torch.atleast_2d(offsets)
            mask = offsets if mask is None else offsets.masked_fill(~mask, -torch.inf)
        return merge(F.scaled_dot_product_attention(query, key, value, mask))

    return run


def cross_attention_step(part: Any, cache: Any, memory_mask: Mask) -> MaskedStep:
    """Prepare an attention to a memory whose keys and values the cache holds already."""
    project, merge = step_of(part.q_proj), _merge_step(part)
    heads, width = part.num_heads, part.d_model // part.num_heads

    def run(x: Tensor, _: Mask) -> Tensor:
        query, (key, value) = project(x).view(-1, heads, 1, width), cache.tensors()
        return merge(F.scaled_dot_product_attention(query, key, value, memory_mask))

    return run


def residual_step(part: nn.Module, run: MaskedStep) -> MaskedStep:
    """Prepare a residual connection around a sub-layer."""
    return fast_step(part, run) or (lambda x, mask: part(x, lambda x: run(x, mask)))


def decoder_layer_step(part: Any, caches: Any, memory: Mask, memory_mask: Mask) -> MaskedStep:
    """Prepare the two or three sub-layers of a decoder layer, each in its connection."""
    target_cache, memory_cache = caches
    attend = fast_step(part.self_attention, target_cache) or (
        lambda x, mask: part.self_attention(x, mask=mask, cache=target_cache)
    )
    transform = step_of(part.feed_forward)
    sublayers = [
        residual_step(part.self_attention_residual, attend),
        residual_step(part.feed_forward_residual, lambda x, _: transform(x)),
    ]
    if part.cross_attention is not None:
        cross = fast_step(part.cross_attention, memory_cache, memory_mask, memory) or (
            lambda x, _: part.cross_attention(x, memory, memory_mask, memory_cache)
        )
        sublayers.insert(1, residual_step(part.cross_attention_residual, cross))
    return _chain(sublayers)


def decoder_step(part: Any, cache: Any, memory: Mask, memory_mask: Mask) -> MaskedStep:
    """Prepare a stack of decoder layers and its last normalization."""
    steps = []
    for layer, caches in zip(part.layers, cache.layers(), strict=True):
        plain = _plain_layer(layer, memory, memory_mask, caches)
        steps.append(fast_step(layer, caches, memory, memory_mask) or plain)
    norm = step_of(part.norm)
    return _chain([*steps, lambda x, _: norm(x)])


def model_step(
    model: Any,
    embedding: nn.Module,
    linear_kind: type,
    cache: Any,
    memory: Mask,
    memory_mask: Mask,
) -> Step:
    """Prepare a whole model: from the newest token of each row, (B, 1), to its logits, (B, V)."""
    decoder, embed, output = (
        model.decoder,
        step_of(embedding),
        output_step(model.output, linear_kind),
    )
    decode = fast_step(decoder, cache, memory, memory_mask) or (
        lambda x, mask: decoder(x, memory, mask, memory_mask, cache)
    )

    def step(ids: Tensor) -> Tensor:
        with cache.extend(model.target_padding_mask(ids)) as (start, mask):
            return output(decode(embed(ids, start), mask))[:, -1]

    return step


def _merge_step(part: Any) -> Step:
    """Prepare the end of an attention: the heads of the one token side by side, projected."""
    project, width = step_of(part.out_proj), part.d_model
    return lambda heads: project(heads.reshape(-1, 1, width))


def _plain_layer(layer: nn.Module, memory: Mask, memory_mask: Mask, caches: Any) -> MaskedStep:
    return lambda x, mask: layer(x, memory, mask, memory_mask, caches)


def _chain(steps: list[MaskedStep]) -> MaskedStep:
    def run(x: Tensor, mask: Mask) -> Tensor:
        for step in steps:
            x = step(x, mask)
        return x

    return run
