"""The parts of a Transformer, small enough to read and complete enough to use.

Here stand the names that the book uses most. All others are reached through their floor:
``tl.norms.BatchNorm``, ``tl.positions.Rotary``, ``tl.layers.SwiGLU``, ``tl.decoding.BeamSearch``.

``import transformer_lite`` loads only PyTorch. What the chapters show and ask besides is in a
package of its own, ``lessons``.
"""

from transformer_lite.decoding import beam_search, greedy, sample
from transformer_lite.device import best_device, seed_everything
from transformer_lite.floors import FLOORS
from transformer_lite.layers import (
    FeedForward,
    MultiHeadAttention,
    PostNorm,
    PreNorm,
    TokenEmbedding,
    attention_steps,
    combine_masks,
    cross_entropy,
    look_ahead_mask,
    masked_softmax,
    merge_heads,
    norms,
    padding_mask,
    positions,
    scaled_dot_product_attention,
    split_heads,
)
from transformer_lite.layers.norms import LayerNorm, layer_norm
from transformer_lite.layers.positions import sinusoidal_positions
from transformer_lite.models import (
    Encoder,
    EncoderLayer,
    Transformer,
    TransformerConfig,
    build,
    from_torch,
    load,
    record_attention,
    save,
)
from transformer_lite.progress_bar import progress

__version__ = "0.1.0"
__doc__ += "\nThe floors, from the ground up; each imports only from those before it::\n\n"
__doc__ += "\n".join(f"    {name:<16} {what}" for name, what in FLOORS.items())

__all__ = [
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "LayerNorm",
    "MultiHeadAttention",
    "PostNorm",
    "PreNorm",
    "TokenEmbedding",
    "Transformer",
    "TransformerConfig",
    "attention_steps",
    "beam_search",
    "best_device",
    "build",
    "combine_masks",
    "cross_entropy",
    "from_torch",
    "greedy",
    "layer_norm",
    "load",
    "look_ahead_mask",
    "masked_softmax",
    "merge_heads",
    "norms",
    "padding_mask",
    "positions",
    "progress",
    "record_attention",
    "sample",
    "save",
    "scaled_dot_product_attention",
    "seed_everything",
    "sinusoidal_positions",
    "split_heads",
]
