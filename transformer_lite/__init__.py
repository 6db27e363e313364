"""The parts of a Transformer, small enough to read and complete enough to use.

Every part stands in one file that you can read on its own::

    masks        who may look at whom
    attention    softmax(QKᵀ/√d)V, first as steps you can inspect, then fused
    norms        layer and batch normalization
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

__version__ = "0.1.0"

__all__ = [
    "AttentionSteps",
    "LayerNorm",
    "LayerNormSteps",
    "MultiHeadAttention",
    "additive_mask",
    "attention_steps",
    "batch_norm",
    "best_device",
    "combine_masks",
    "layer_norm",
    "layer_norm_steps",
    "look_ahead_mask",
    "masked_softmax",
    "merge_heads",
    "outer_product_padding_mask",
    "padding_mask",
    "scaled_dot_product_attention",
    "seed_everything",
    "split_heads",
    "standardize",
]
