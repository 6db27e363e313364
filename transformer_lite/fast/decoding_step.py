"""One step of decoding, with everything looked up beforehand.

A step multiplies little. On a CPU most of its time would go into finding modules and weights and
checking shapes, the same ones every time. Here that happens once, before the first step; what
remains are the operations themselves.

Each function below `fast_form_of` prepares the fast form of one class of parts. The plain form is
the `forward` of that class. A prepared step reads the weights that the part had when it was
prepared. It keeps some weights in another layout: when weights change, prepare it again. When parts
change, :class:`~transformer_lite.decoding.NextToken` does so (see fast/exact.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from transformer_lite.fast.exact import fast_form_of, fast_step, step_of
from transformer_lite.layers import (
    GEGLU,
    DecoderCache,
    DeepNorm,
    FeedForward,
    GroupedQueryAttention,
    KVCache,
    Linear,
    MultiHeadAttention,
    PostNorm,
    PreNorm,
    SwiGLU,
    TokenEmbedding,
    UnscaledEmbedding,
)
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.positions import Rotary
from transformer_lite.layers.unmodified import is_exactly
from transformer_lite.models import Decoder, DecoderLayer, DecoderOnlyTransformer, Transformer

Mask = Tensor | None
Step = Callable[[Tensor], Tensor]
# A sub-layer sees the new token of each row, and which tokens so far are not padding.
MaskedStep = Callable[[Tensor, Mask], Tensor]
#: A matrix of at most this many numbers fits a core's cache. The product with it is limited by how
#: it is read, and transposing it saves a fifth to a half of the time. A larger one is limited by
#: memory: transposing it saves nothing and takes as long as a few products.
SMALL = 2**19
#: The parts of an attention that a fast step knows.
PARTS = {"q_proj", "k_proj", "v_proj", "out_proj", "positions", "q_norm", "k_norm"}


@fast_form_of(Linear)
def linear_step(part: Linear) -> Step:
    """Prepare x Wᵀ + b."""
    return _product(part.weight, part.bias)


@fast_form_of(LayerNorm)
def layer_norm_step(part: LayerNorm) -> Step:
    """Prepare a layer normalization."""
    weight, bias, eps = part.weight, part.bias, part.eps
    return lambda x: F.layer_norm(x, weight.shape, weight, bias, eps)


@fast_form_of(RMSNorm)
def rms_norm_step(part: RMSNorm) -> Step:
    """Prepare an RMS normalization."""
    weight, eps = part.weight, part.eps
    return lambda x: F.rms_norm(x, weight.shape, weight.to(x.dtype), eps)


@fast_form_of(TokenEmbedding, UnscaledEmbedding)
def embedding_step(part: TokenEmbedding) -> Callable[[Tensor, int], Tensor]:
    """Prepare an embedding, without checks and dropout."""
    return lambda ids, start: part.positions.embed(part.look_up(ids), start)


@fast_form_of(Rotary)
def rotary_step(part: Rotary) -> Callable[[Tensor, int], Tensor]:
    """Prepare rotary positions. That there is a form means: rotate queries and keys together."""
    return part.rotate


@fast_form_of(FeedForward)
def feed_forward_step(part: FeedForward) -> Step:
    """Prepare the two layers of a feed-forward, without dropout."""
    up, down = step_of(part.up), step_of(part.down)
    return lambda x: down(part.activation(up(x)))


@fast_form_of(SwiGLU, GEGLU)
def gated_step(part: SwiGLU) -> Step | None:
    """Prepare a feed-forward with a gate, without dropout; None if its plain form must run.

    One product computes the gate and what it opens.
    """
    if not all(is_exactly(p, Linear) and p.bias is None for p in (part.gate, part.up)):
        return None
    project = _product(torch.cat([part.gate.weight, part.up.weight]), None)
    sizes, down = [len(part.gate.weight), len(part.up.weight)], step_of(part.down)

    def run(x: Tensor) -> Tensor:
        gate, up = project(x).split(sizes, dim=-1)
        return down(part.open(gate) * up)

    return run


@fast_form_of(MultiHeadAttention, GroupedQueryAttention)
def attention_step(
    part: MultiHeadAttention, cache: KVCache, memory_mask: Mask = None, memory: Mask = None
) -> MaskedStep | None:
    """Prepare a multi-head attention, or return None if only its plain form can run.

    The projections must be plain linear layers, all with a bias or all without, from width D to the
    heads of one width. In cross-attention the cache must hold the memory already.
    """
    projections = (part.q_proj, part.k_proj, part.v_proj)
    if not all(is_exactly(projection, Linear) for projection in projections):
        return None
    if not {name for name, _ in part.named_children()} <= PARTS:
        return None
    query, *shared = (projection.weight.shape for projection in projections)
    widths = {query[0] / part.num_heads, *(rows / _key_heads(part) for rows, _ in shared)}
    if {query[1], *(columns for _, columns in shared)} != {part.d_model} or len(widths) > 1:
        return None
    if memory is not None:
        return cross_attention_step(part, cache, memory_mask) if cache.length else None
    same_bias = len({projection.bias is None for projection in projections}) == 1
    return self_attention_step(part, cache) if same_bias else None


def self_attention_step(part: Any, cache: KVCache) -> MaskedStep:
    """Prepare an attention to what its cache holds: one product gives query, key and value.

    Query heads that share a head of keys and values are the rows of one attention, so the shared
    keys and values are not repeated.
    """
    projections = (part.q_proj, part.k_proj, part.v_proj)
    biases = [projection.bias for projection in projections]
    project = _product(
        torch.cat([projection.weight for projection in projections]),
        None if biases[0] is None else torch.cat(biases),
    )
    heads, groups = part.num_heads, _key_heads(part)
    width, merge, positions = len(part.q_proj.weight) // heads, _merge_step(part), part.positions
    norms = [_norm_step(part, name) for name in ("q_norm", "k_norm")]
    rotate = None if any(norms) else fast_step(positions)

    def run(x: Tensor, mask: Mask) -> Tensor:
        start = cache.length
        parts = project(x).view(-1, heads + 2 * groups, 1, width)
        value = parts[:, -groups:]
        if rotate is None:
            query, key = parts[:, :heads], parts[:, heads:-groups]
            query, key = (
                x if n is None else n(x) for n, x in zip(norms, (query, key), strict=True)
            )
            query, key = positions.rotate(query, start), positions.rotate(key, start)
        else:
            query, key = rotate(parts[:, :-groups], start).split([heads, groups], dim=1)
        key, value = cache.append(key, value)
        bias = positions.bias(query, key.shape[2], key.shape[2] - 1)
        if bias is not None:
            bias = torch.atleast_2d(bias)
            mask = bias if mask is None else bias.masked_fill(~mask, -torch.inf)
        if groups < heads:
            query = query.reshape(-1, groups, heads // groups, width)
            mask = _by_group(mask, heads, groups)
        return merge(F.scaled_dot_product_attention(query, key, value, mask, scale=part.scale))

    return run


def cross_attention_step(part: Any, cache: KVCache, memory_mask: Mask) -> MaskedStep | None:
    """Prepare an attention to a memory whose keys and values the cache holds already.

    The beams of one text have the same memory. Their queries are the rows of one attention, so its
    keys and values are read once.
    """
    heads = part.num_heads
    if _key_heads(part) != heads or any(_norm_step(part, name) for name in ("q_norm", "k_norm")):
        return None
    project, merge = step_of(part.q_proj), _merge_step(part)
    width = len(part.q_proj.weight) // heads
    key, value = cache.tensors()
    if memory_mask is not None:
        memory_mask = memory_mask.expand(len(key), -1, -1, -1)
    tensors = [tensor for tensor in (key, value, memory_mask) if tensor is not None]
    beams = math.gcd(*map(equal_rows, tensors))
    key, value, *masks = (tensor[::beams].contiguous() for tensor in tensors)
    mask = masks[0] if masks else None

    def run(x: Tensor, _: Mask) -> Tensor:
        query = project(x).view(-1, beams, heads, width).transpose(1, 2)
        found = F.scaled_dot_product_attention(query, key, value, mask, scale=part.scale)
        return merge(found.transpose(1, 2))

    return run


@fast_form_of(PostNorm)
def post_norm_step(part: PostNorm, run: MaskedStep) -> MaskedStep:
    """Prepare Norm(x + f(x)), without dropout."""
    norm = step_of(part.norm)
    return lambda x, mask: norm(x + run(x, mask))


@fast_form_of(PreNorm)
def pre_norm_step(part: PreNorm, run: MaskedStep) -> MaskedStep:
    """Prepare x + f(Norm(x)), without dropout."""
    norm = step_of(part.norm)
    return lambda x, mask: x + run(norm(x), mask)


@fast_form_of(DeepNorm)
def deep_norm_step(part: DeepNorm, run: MaskedStep) -> MaskedStep:
    """Prepare Norm(α · x + f(x)), without dropout."""
    norm = step_of(part.norm)
    return lambda x, mask: norm(part.alpha * x + run(x, mask))


def residual_step(part: nn.Module, run: MaskedStep) -> MaskedStep:
    """Prepare a residual connection around a sub-layer."""
    return fast_step(part, run) or (lambda x, mask: part(x, lambda x: run(x, mask)))


@fast_form_of(DecoderLayer)
def decoder_layer_step(
    part: Any, caches: tuple[KVCache, KVCache], memory: Mask, memory_mask: Mask
) -> MaskedStep:
    """Prepare the two or three sub-layers of a decoder layer, each in its connection."""
    part.check_memory(memory)
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


@fast_form_of(Decoder)
def decoder_step(part: Decoder, cache: DecoderCache, memory: Mask, memory_mask: Mask) -> MaskedStep:
    """Prepare a stack of decoder layers and its last normalization."""
    steps = []
    for layer, caches in zip(part.layers, cache.layers(), strict=True):
        plain = _plain_layer(layer, memory, memory_mask, caches)
        steps.append(fast_step(layer, caches, memory, memory_mask) or plain)
    norm = step_of(part.norm)
    return _chain([*steps, lambda x, _: norm(x)])


@fast_form_of(Transformer, DecoderOnlyTransformer)
def model_step(
    model: Any, cache: DecoderCache, memory: Mask = None, memory_mask: Mask = None
) -> Step:
    """Prepare a whole model: from the newest token of each row, (B, 1), to its logits, (B, V)."""
    embedding = model.tgt_embedding if isinstance(model, Transformer) else model.embedding
    decoder, embed, output = model.decoder, step_of(embedding), step_of(model.output)
    decode = fast_step(decoder, cache, memory, memory_mask) or (
        lambda x, mask: decoder(x, memory, mask, memory_mask, cache)
    )

    def step(ids: Tensor) -> Tensor:
        with cache.extend(model.target_padding_mask(ids)) as (start, mask):
            return output(decode(embed(ids, start), mask))[:, -1]

    return step


def _product(weight: Tensor, bias: Tensor | None) -> Step:
    """Prepare x Wᵀ + b. The product reads a small matrix faster in the other layout."""
    if weight.numel() > SMALL or not weight.is_cpu:
        return lambda x: F.linear(x, weight, bias)
    columns, width = weight.t().contiguous(), weight.shape[1]

    def run(x: Tensor) -> Tensor:
        rows = x.reshape(-1, width)
        product = rows @ columns if bias is None else torch.addmm(bias, rows, columns)
        return product.view(*x.shape[:-1], -1)

    return run


def _merge_step(part: Any) -> Step:
    """Prepare the end of an attention: the heads of each token side by side, projected."""
    project, width = step_of(part.out_proj), len(part.q_proj.weight)
    return lambda heads: project(heads.reshape(-1, 1, width))


def _norm_step(part: Any, name: str) -> Step | None:
    """Prepare the norm of the queries or of the keys; None if there is none."""
    norm = getattr(part, name, None)
    return None if norm is None or is_exactly(norm, nn.Identity) else step_of(norm)


def _key_heads(part: Any) -> int:
    """Return how many heads of keys and values an attention has."""
    return getattr(part, "num_kv_heads", part.num_heads)


def _by_group(mask: Mask, heads: int, groups: int) -> Mask:
    """Return a mask of H heads, (…, H, 1, S), as one of G heads with H/G queries each."""
    if mask is None or mask.ndim < 3 or mask.shape[-3] == 1:
        return mask
    return mask.squeeze(-2).unflatten(-2, (groups, heads // groups))


def equal_rows(x: Tensor) -> int:
    """Return the largest M such that rows 0 to M − 1 are equal, rows M to 2M − 1, and so on."""
    differs = (x[1:] != x[:1]).flatten(start_dim=1).any(dim=1).nonzero()
    count = int(differs[0]) + 1 if len(differs) else len(x)
    if len(x) % count:
        return 1
    groups = x.unflatten(0, (-1, count))
    return count if bool((groups == groups[:, :1]).all()) else 1


def _plain_layer(layer: nn.Module, memory: Mask, memory_mask: Mask, caches: Any) -> MaskedStep:
    return lambda x, mask: layer(x, memory, mask, memory_mask, caches)


def _chain(steps: list[MaskedStep]) -> MaskedStep:
    def run(x: Tensor, mask: Mask) -> Tensor:
        for step in steps:
            x = step(x, mask)
        return x

    return run
