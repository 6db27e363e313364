"""The parts of a Transformer: one concept per file, each readable on its own."""

from transformer_lite.layers.attention import (
    AttentionSteps,
    attention_steps,
    dot_product_self_attention,
    masked_softmax,
    scaled_dot_product_attention,
)
from transformer_lite.layers.cache import DecoderCache, KVCache, WindowCache
from transformer_lite.layers.complexity import AttentionCost, attention_cost
from transformer_lite.layers.embedding import SegmentEmbedding, TokenEmbedding, UnscaledEmbedding
from transformer_lite.layers.feed_forward import GEGLU, FeedForward, SwiGLU, feed_forward_from_keys
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.loss import cross_entropy, one_hot, smoothed_targets
from transformer_lite.layers.low_rank import LowRank
from transformer_lite.layers.masks import (
    additive_mask,
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
    sliding_window_mask,
)
from transformer_lite.layers.mixture import MixtureOfExperts
from transformer_lite.layers.multi_head import MultiHeadAttention, merge_heads, split_heads
from transformer_lite.layers.patches import PatchEmbedding, cut_patches
from transformer_lite.layers.pooler import Pooler
from transformer_lite.layers.residual import (
    DeepNorm,
    PostNorm,
    PreNorm,
    Residual,
    SandwichNorm,
    deepnorm_constants,
)
from transformer_lite.layers.sliding_window import SlidingWindowAttention
from transformer_lite.layers.state_space import DiagonalStateSpace
from transformer_lite.layers.unscaled import ScaledOutput, UnscaledAttention

__all__ = [
    "GEGLU",
    "AttentionCost",
    "AttentionSteps",
    "DecoderCache",
    "DeepNorm",
    "DiagonalStateSpace",
    "FeedForward",
    "GroupedQueryAttention",
    "KVCache",
    "Linear",
    "LowRank",
    "MixtureOfExperts",
    "MultiHeadAttention",
    "PatchEmbedding",
    "Pooler",
    "PostNorm",
    "PreNorm",
    "Residual",
    "SandwichNorm",
    "ScaledOutput",
    "SegmentEmbedding",
    "SlidingWindowAttention",
    "SwiGLU",
    "TokenEmbedding",
    "UnscaledAttention",
    "UnscaledEmbedding",
    "WindowCache",
    "additive_mask",
    "attention_cost",
    "attention_steps",
    "combine_masks",
    "cross_entropy",
    "cut_patches",
    "deepnorm_constants",
    "dot_product_self_attention",
    "feed_forward_from_keys",
    "look_ahead_mask",
    "masked_softmax",
    "merge_heads",
    "one_hot",
    "outer_product_padding_mask",
    "padding_mask",
    "scaled_dot_product_attention",
    "sliding_window_mask",
    "smoothed_targets",
    "split_heads",
]
