"""The model families of Hugging Face, assembled from our parts without their weights.

They differ only in their parts, so none of them needs a class of its own.
"""

from __future__ import annotations

from transformer_lite.layers.embedding import SegmentEmbedding, UnscaledEmbedding
from transformer_lite.layers.feed_forward import GEGLU, FeedForward, SwiGLU
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.pooler import Pooler
from transformer_lite.layers.positions import LearnedPositions, Rotary, T5Relative
from transformer_lite.layers.residual import PostNorm, PreNorm
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
    options.know("max_position_embeddings")  # rotary positions have no maximum
    options.require("attention_bias", False)
    options.require("mlp_bias", False)
    options.require("hidden_act", "silu")
    width, heads = options["hidden_size"], options["num_attention_heads"]
    options.require("head_dim", width // heads, None)
    base, words = rotary_base(options), options["vocab_size"]

    def norm() -> RMSNorm:
        return RMSNorm(width, options["rms_norm_eps"])

    def layer() -> DecoderLayer:
        groups, dropout = options["num_key_value_heads"], options["attention_dropout"]
        attention = GroupedQueryAttention(width, heads, groups, dropout, False, Rotary(base))
        feed_forward = SwiGLU(width, options["intermediate_size"])
        return DecoderLayer(attention, feed_forward, lambda: PreNorm(norm()))

    return DecoderOnlyTransformer(
        UnscaledEmbedding(words, width),
        Decoder((layer() for _ in range(options["num_hidden_layers"])), norm()),
        Linear(width, words, bias=False),
        options.pad_id,
    )


def rotary_base(options: Options) -> float:
    """Return the base of the rotary positions."""
    rope = dict(options["rope_parameters"])
    base = rope.pop("rope_theta")
    rule = "rope_parameters of a LlamaConfig must be rope_theta and the default rope_type alone"
    require(rope == {"rope_type": "default"}, rule, rope)
    return base


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
    options.know("initializer_factor", "decoder_start_token_id")
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
