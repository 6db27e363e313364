"""The model families of Hugging Face, assembled from our parts without their weights.

They differ only in their parts, so none of them needs a class of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from torch import nn

from transformer_lite.layers.embedding import SegmentEmbedding, TokenEmbedding, UnscaledEmbedding
from transformer_lite.layers.feed_forward import GEGLU, FeedForward, SwiGLU
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm, RMSNorm, ZeroCenteredRMSNorm
from transformer_lite.layers.pooler import Pooler
from transformer_lite.layers.positions import (
    LearnedPositions,
    LinearScaling,
    Llama3Scaling,
    Rotary,
    RotaryScaling,
    T5Relative,
    YarnScaling,
)
from transformer_lite.layers.residual import PostNorm, PreNorm, SandwichNorm
from transformer_lite.layers.sliding_window import SlidingWindowAttention
from transformer_lite.layers.unscaled import ScaledOutput, UnscaledAttention
from transformer_lite.models.conversion import require
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.options import ACTIVATIONS, Options
from transformer_lite.models.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    PadStartTransformer,
)

MakeNorm = Callable[[int], nn.Module]
#: The words of `layer_types` for a layer that attends to all earlier tokens, and to a window.
GLOBAL, LOCAL = "full_attention", "sliding_attention"
SCALINGS: dict[str, type[RotaryScaling]] = {
    "default": RotaryScaling,
    "linear": LinearScaling,
    "llama3": Llama3Scaling,
    "yarn": YarnScaling,
}


def bert(options: Options, with_pooler: bool) -> EncoderOnlyTransformer:
    """Post-norm with learned positions and segments, one norm after the embedding, no √D."""
    options.require("is_decoder", False)
    options.require("add_cross_attention", False)
    options.allow("position_embedding_type", "absolute")
    width, dropout = options["hidden_size"], options["hidden_dropout_prob"]
    activation = ACTIVATIONS[options.require("hidden_act", *ACTIVATIONS)]

    def norm() -> LayerNorm:
        return LayerNorm(width, options["layer_norm_eps"])

    def layer() -> EncoderLayer:
        heads = options["num_attention_heads"], options["attention_probs_dropout_prob"]
        feed_forward = FeedForward(width, options["intermediate_size"], activation)
        attention = MultiHeadAttention(width, *heads)
        return EncoderLayer(attention, feed_forward, lambda: PostNorm(norm(), dropout))

    positions = LearnedPositions(width, options["max_position_embeddings"])
    parts = positions, options["type_vocab_size"], norm(), dropout
    return EncoderOnlyTransformer(
        SegmentEmbedding(options["vocab_size"], width, *parts),
        Encoder(layer() for _ in range(options["num_hidden_layers"])),
        Pooler(width) if with_pooler else None,
        options.pad_id,
    )


def gpt2(options: Options) -> DecoderOnlyTransformer:
    """Pre-norm with learned positions, no √D, GELU by its tanh formula."""
    options.require("add_cross_attention", False)
    options.require("scale_attn_weights", True)
    options.require("scale_attn_by_inverse_layer_idx", False)
    width, dropout = options["n_embd"], options["resid_pdrop"]
    activation = ACTIVATIONS[options.require("activation_function", *ACTIVATIONS)]

    def norm() -> LayerNorm:
        return LayerNorm(width, options["layer_norm_epsilon"])

    def layer() -> DecoderLayer:
        attention = MultiHeadAttention(width, options["n_head"], options["attn_pdrop"])
        feed_forward = FeedForward(width, options["n_inner"] or 4 * width, activation)
        return DecoderLayer(attention, feed_forward, lambda: PreNorm(norm(), dropout))

    positions = LearnedPositions(width, options["n_positions"])
    words = options["vocab_size"]
    return DecoderOnlyTransformer(
        UnscaledEmbedding(words, width, positions, options["embd_pdrop"]),
        Decoder((layer() for _ in range(options["n_layer"])), norm()),
        Linear(width, words, bias=False),
        options.pad_id,
    )


def llama(options: Options) -> DecoderOnlyTransformer:
    """Pre-norm by RMS, rotary positions on halves, SwiGLU, grouped queries, no biases."""
    options.require("pretraining_tp", 1)
    options.require("mlp_bias", False)
    kinds = [GLOBAL] * options["num_hidden_layers"]
    return _with_swiglu(options, kinds, make_qk_norm=None)


def qwen3(options: Options) -> DecoderOnlyTransformer:
    """Llama with RMS norms on queries and keys; some layers may have a window."""
    # layer_types say which layers have the window.
    options.mark_as_known("use_sliding_window", "max_window_layers", "sliding_window")
    kinds = options["layer_types"][: options["num_hidden_layers"]]
    return _with_swiglu(options, kinds, partial(RMSNorm, eps=options["rms_norm_eps"]))


def _with_swiglu(
    options: Options, kinds: list[str], make_qk_norm: MakeNorm | None
) -> DecoderOnlyTransformer:
    """Return what Llama and Qwen3 share; `kinds` are the words of `layer_types`."""
    options.require("hidden_act", "silu")
    width, words = options["hidden_size"], options["vocab_size"]
    positions = rotary(options["rope_parameters"])

    def norm() -> RMSNorm:
        return RMSNorm(width, options["rms_norm_eps"])

    def layer(kind: str) -> DecoderLayer:
        attention = _attention(options, kind, positions, make_qk_norm)
        feed_forward = SwiGLU(width, options["intermediate_size"])
        return DecoderLayer(attention, feed_forward, lambda: PreNorm(norm()))

    return DecoderOnlyTransformer(
        UnscaledEmbedding(words, width),
        Decoder(map(layer, kinds), norm()),
        Linear(width, words, bias=False),
        options.pad_id,
    )


def gemma3(options: Options) -> DecoderOnlyTransformer:
    """Norms around each sub-layer and on queries and keys, GEGLU, and windows in most layers.

    The layers with a window and the others have rotary positions of different speeds. In float16
    and bfloat16, Hugging Face also rounds the factor √D of the embeddings.
    """
    # layer_types say which layers have the window.
    options.mark_as_known("_sliding_window_pattern", "sliding_window")
    options.require("hidden_activation", "gelu_pytorch_tanh")
    options.require("use_bidirectional_attention", False, None)
    options.require("attn_logit_softcapping", None)
    options.require("final_logit_softcapping", None)
    width, words = options["hidden_size"], options["vocab_size"]
    scale = options["query_pre_attn_scalar"] ** -0.5
    make_norm = partial(ZeroCenteredRMSNorm, eps=options["rms_norm_eps"])
    positions = {kind: rotary(rope) for kind, rope in options["rope_parameters"].items()}

    def residual() -> SandwichNorm:
        return SandwichNorm(make_norm(width), make_norm(width))

    def layer(kind: str) -> DecoderLayer:
        attention = _attention(options, kind, positions[kind], make_norm, scale)
        feed_forward = GEGLU(width, options["intermediate_size"])
        return DecoderLayer(attention, feed_forward, residual)

    kinds = options["layer_types"][: options["num_hidden_layers"]]
    return DecoderOnlyTransformer(
        TokenEmbedding(words, width),
        Decoder(map(layer, kinds), make_norm(width)),
        Linear(width, words, bias=False),
        options.pad_id,
    )


def _attention(
    options: Options,
    kind: str,
    positions: Rotary,
    make_qk_norm: MakeNorm | None,
    scale: float | None = None,
) -> GroupedQueryAttention:
    """Return an attention to all earlier tokens, or to those in a window."""
    options.mark_as_known("max_position_embeddings")  # rotary positions have no maximum
    options.require("attention_bias", False)
    width, heads = options["hidden_size"], options["num_attention_heads"]
    groups, dropout = options["num_key_value_heads"], options["attention_dropout"] or 0.0
    d_head = options["head_dim"] or width // heads
    parts = width, heads, groups, dropout, False, positions, d_head, make_qk_norm, scale
    if kind == GLOBAL:
        return GroupedQueryAttention(*parts)
    require(kind == LOCAL, f"layer_types must be {GLOBAL} or {LOCAL}", kind)
    return SlidingWindowAttention(*parts, window=options["sliding_window"])


def rotary(parameters: Mapping[str, Any]) -> Rotary:
    """Return the rotary positions that `rope_parameters` of a config describe."""
    rope = {name: value for name, value in parameters.items() if value is not None}
    base, kind = rope.pop("rope_theta"), rope.pop("rope_type")
    rope.pop("type", None)  # the old name of rope_type
    if "original_max_position_embeddings" in rope:
        rope["original_max_len"] = rope.pop("original_max_position_embeddings")
    scaling = SCALINGS.get(kind)
    known = scaling is not None and rope.keys() <= {field.name for field in fields(scaling)}
    rule = f"rope_parameters must be those of a rope_type among {', '.join(SCALINGS)}"
    require(known, rule, dict(parameters))
    return Rotary(base, SCALINGS[kind](**rope))


def t5(options: Options) -> PadStartTransformer:
    """Pre-norm by RMS, relative positions shared by a stack's layers, unscaled scores, no biases.

    In training, Hugging Face also applies dropout after the last norm of each stack. In float16 it
    replaces infinite activations by large numbers.
    """
    options.require("is_encoder_decoder", True)
    options.require("is_decoder", False)
    gated = options.require("feed_forward_proj", "relu", "gated-gelu") == "gated-gelu"
    options.require("is_gated_act", gated)
    options.require("dense_act_fn", "gelu_new" if gated else "relu")
    options.mark_as_known("initializer_factor", "decoder_start_token_id")
    width, dropout, words = options["d_model"], options["dropout_rate"], options["vocab_size"]
    heads, d_head = options["num_heads"], options["d_kv"]

    def norm() -> RMSNorm:
        return RMSNorm(width, options["layer_norm_epsilon"])

    def residual() -> PreNorm:
        return PreNorm(norm(), dropout)

    def feed_forward() -> FeedForward | SwiGLU:
        if gated:
            return GEGLU(width, options["d_ff"], dropout)
        return FeedForward(width, options["d_ff"], "relu", dropout, bias=False)

    def relative(both_ways: bool) -> T5Relative:
        names = "relative_attention_num_buckets", "relative_attention_max_distance"
        return T5Relative(heads, both_ways, *(options[name] for name in names))

    def attention(positions: T5Relative | None = None) -> UnscaledAttention:
        return UnscaledAttention(width, heads, d_head, dropout, positions)

    before, back = relative(True), relative(False)
    reads = [
        EncoderLayer(attention(before), feed_forward(), residual)
        for _ in range(options["num_layers"])
    ]
    writes = [
        DecoderLayer(attention(back), feed_forward(), residual, attention())
        for _ in range(options["num_decoder_layers"])
    ]
    output = ScaledOutput if options["scale_decoder_outputs"] else Linear
    return PadStartTransformer(
        UnscaledEmbedding(words, width, None, dropout),
        UnscaledEmbedding(words, width, None, dropout),
        Encoder(reads, norm()),
        Decoder(writes, norm()),
        output(width, words, bias=False),
        options.pad_id,
    )
