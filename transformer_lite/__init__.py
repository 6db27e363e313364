"""The parts of a Transformer, small enough to read and complete enough to use.

Every part stands in one file that you can read on its own::

    masks        who may look at whom
    norms        layer, RMS, batch, group, instance and weight normalization
    positions    where a token stands: sinusoidal, learned, relative, rotary, ALiBi
    feedforward  the layer that treats every position by itself
    output       one-hot targets, label smoothing, cross-entropy
    attention    softmax(QKᵀ/√d)V, first as steps you can inspect, then fused
    complexity   what an attention multiplies and holds
    multi_head   several attentions side by side, with a cache for decoding
    residual     keep the input and add to it: post-norm, pre-norm, DeepNorm
    embedding    from ids to vectors with positions
    encoder      two sub-layers a layer; decoder: three
    config       all sizes and choices of a model
    transformer  the assemblies: encoder–decoder, decoder-only, encoder-only
    decoding     greedy search and sampling; beam: beam search with its tree
    inspection   the weights of every attention in a model
    interop      modules of PyTorch taken over, weights and all
    saving       models on disk, without pickle
    device       the fastest device at hand, and seeds
    progress_bar how far a training is, live in a notebook

``import transformer_lite`` loads only PyTorch. The figures, the exercises and the
worked examples are modules of their own: import them when you need them.
"""

from transformer_lite.attention import (
    AttentionSteps,
    attention_steps,
    dot_product_self_attention,
    masked_softmax,
    scaled_dot_product_attention,
)
from transformer_lite.beam import BeamSearch, BeamStep, beam_search, length_penalty
from transformer_lite.complexity import AttentionCost, attention_cost
from transformer_lite.config import TransformerConfig
from transformer_lite.decoder import Decoder, DecoderCache, DecoderLayer
from transformer_lite.decoding import NextToken, greedy, keep_nucleus, keep_top_k, sample
from transformer_lite.device import best_device, seed_everything
from transformer_lite.embedding import TokenEmbedding
from transformer_lite.encoder import Encoder, EncoderLayer
from transformer_lite.feedforward import FeedForward, SwiGLU, feed_forward_from_keys
from transformer_lite.inspection import AttentionRecord, record_attention
from transformer_lite.interop import from_torch
from transformer_lite.linear import Linear
from transformer_lite.masks import (
    additive_mask,
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)
from transformer_lite.multi_head import KVCache, MultiHeadAttention, merge_heads, split_heads
from transformer_lite.norms import (
    BatchNorm,
    GroupNorm,
    InstanceNorm,
    LayerNorm,
    LayerNormSteps,
    RMSNorm,
    RMSNormSteps,
    WeightNormLinear,
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    layer_norm_steps,
    min_max,
    rms_norm,
    rms_norm_steps,
    standardize,
    weight_norm,
)
from transformer_lite.output import cross_entropy, one_hot, smoothed_targets
from transformer_lite.positions import (
    ALiBi,
    LearnedPositions,
    PositionScheme,
    Rotary,
    ShawRelative,
    SinusoidalPositions,
    T5Relative,
    alibi_slopes,
    binary_positions,
    half_split_order,
    rotate_half_split,
    rotate_interleaved,
    shift_rotation,
    sinusoidal_frequencies,
    sinusoidal_positions,
    t5_buckets,
)
from transformer_lite.progress_bar import progress
from transformer_lite.residual import DeepNorm, PostNorm, PreNorm, deepnorm_constants
from transformer_lite.saving import load, save
from transformer_lite.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    Transformer,
)

__version__ = "0.1.0"

__all__ = [
    "ALiBi",
    "AttentionCost",
    "AttentionRecord",
    "AttentionSteps",
    "BatchNorm",
    "BeamSearch",
    "BeamStep",
    "Decoder",
    "DecoderCache",
    "DecoderLayer",
    "DecoderOnlyTransformer",
    "DeepNorm",
    "Encoder",
    "EncoderLayer",
    "EncoderOnlyTransformer",
    "FeedForward",
    "GroupNorm",
    "InstanceNorm",
    "KVCache",
    "LayerNorm",
    "LayerNormSteps",
    "LearnedPositions",
    "Linear",
    "MultiHeadAttention",
    "NextToken",
    "PositionScheme",
    "PostNorm",
    "PreNorm",
    "RMSNorm",
    "RMSNormSteps",
    "Rotary",
    "ShawRelative",
    "SinusoidalPositions",
    "SwiGLU",
    "T5Relative",
    "TokenEmbedding",
    "Transformer",
    "TransformerConfig",
    "WeightNormLinear",
    "additive_mask",
    "alibi_slopes",
    "attention_cost",
    "attention_steps",
    "batch_norm",
    "beam_search",
    "best_device",
    "binary_positions",
    "combine_masks",
    "cross_entropy",
    "deepnorm_constants",
    "dot_product_self_attention",
    "feed_forward_from_keys",
    "from_torch",
    "greedy",
    "group_norm",
    "half_split_order",
    "instance_norm",
    "keep_nucleus",
    "keep_top_k",
    "layer_norm",
    "layer_norm_steps",
    "length_penalty",
    "load",
    "look_ahead_mask",
    "masked_softmax",
    "merge_heads",
    "min_max",
    "one_hot",
    "outer_product_padding_mask",
    "padding_mask",
    "progress",
    "record_attention",
    "rms_norm",
    "rms_norm_steps",
    "rotate_half_split",
    "rotate_interleaved",
    "sample",
    "save",
    "scaled_dot_product_attention",
    "seed_everything",
    "shift_rotation",
    "sinusoidal_frequencies",
    "sinusoidal_positions",
    "smoothed_targets",
    "split_heads",
    "standardize",
    "t5_buckets",
    "weight_norm",
]
