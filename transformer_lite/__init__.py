"""The parts of a Transformer, small enough to read and complete enough to use.

Every part stands in one file that you can read on its own::

    masks        who may look at whom
    norms        layer and batch normalization
    positions    where a token stands: sinusoidal, learned, relative, rotary, ALiBi
    feedforward  the layer that treats every position by itself
    attention    softmax(QKᵀ/√d)V, first as steps you can inspect, then fused
    residual     keep the input and add to it: post-norm, pre-norm, DeepNorm
    device       the fastest device at hand, and seeds

``import transformer_lite`` loads only PyTorch. The figures, the exercises and the
worked examples are modules of their own: import them when you need them.
"""

from transformer_lite.attention import (
    AttentionSteps,
    MultiHeadAttention,
    attention_steps,
    masked_softmax,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from transformer_lite.device import best_device, seed_everything
from transformer_lite.feedforward import FeedForward, SwiGLU, feed_forward_from_keys
from transformer_lite.masks import (
    additive_mask,
    combine_masks,
    look_ahead_mask,
    outer_product_padding_mask,
    padding_mask,
)
from transformer_lite.norms import (
    LayerNorm,
    LayerNormSteps,
    batch_norm,
    layer_norm,
    layer_norm_steps,
    standardize,
)
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
from transformer_lite.residual import DeepNorm, PostNorm, PreNorm, deepnorm_constants

__version__ = "0.1.0"

__all__ = [
    "ALiBi",
    "AttentionSteps",
    "DeepNorm",
    "FeedForward",
    "LayerNorm",
    "LayerNormSteps",
    "LearnedPositions",
    "MultiHeadAttention",
    "PositionScheme",
    "PostNorm",
    "PreNorm",
    "Rotary",
    "ShawRelative",
    "SinusoidalPositions",
    "SwiGLU",
    "T5Relative",
    "additive_mask",
    "alibi_slopes",
    "attention_steps",
    "batch_norm",
    "best_device",
    "binary_positions",
    "combine_masks",
    "deepnorm_constants",
    "feed_forward_from_keys",
    "half_split_order",
    "layer_norm",
    "layer_norm_steps",
    "look_ahead_mask",
    "masked_softmax",
    "merge_heads",
    "outer_product_padding_mask",
    "padding_mask",
    "rotate_half_split",
    "rotate_interleaved",
    "scaled_dot_product_attention",
    "seed_everything",
    "shift_rotation",
    "sinusoidal_frequencies",
    "sinusoidal_positions",
    "split_heads",
    "standardize",
    "t5_buckets",
]
