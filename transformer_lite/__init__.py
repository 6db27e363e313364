"""A Transformer in small, readable parts that are complete enough to use.

Read it in this order. In each file the idea comes first; caches and checks come after it.

1. ``layers.attention``, ``layers.masks``, ``layers.multi_head``: attention, step by step and fused.
2. ``layers.positions``, ``layers.norms``, ``layers.residual``, ``layers.feed_forward``: what else a
   layer consists of. ``layers.embedding`` and ``layers.loss`` are the two ends of a model.
3. ``models.encoder``, ``models.decoder``, ``models.transformer``: layers, stacks, whole models.
   ``models.build`` makes them from a ``TransformerConfig``; ``models.saving`` saves and loads them.
4. ``decoding.sampling``: greedy search and sampling. ``decoding.beam``: beam search.
5. ``text.bpe``, ``text.batches``, ``training.trainer``: from sentences to a trained translator.

Skip ``fast`` at first: it has faster forms for decoding, with the same results. Optional, too, are
``before`` (n-grams, word2vec), ``models.recurrent``, the conversions from PyTorch and Hugging Face
in ``models``, and ``training.distributed``.

The names that chapters use most are here: ``tl.MultiHeadAttention``. All others are in their
folders: ``tl.norms.BatchNorm``, ``tl.positions.Rotary``, ``tl.layers.SwiGLU``. Masks are boolean,
and True means "may attend". ``import transformer_lite`` loads no large library except PyTorch.
"""

from transformer_lite.decoding import beam_search, greedy, sample
from transformer_lite.device import best_device, seed_everything
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
from transformer_lite.subpackages import SUBPACKAGES

__version__ = "0.2.0"
__doc__ += "\nThe modules and folders; each imports only from those before it::\n\n"
__doc__ += "\n".join(f"    {name:<16} {what}" for name, what in SUBPACKAGES.items())

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
