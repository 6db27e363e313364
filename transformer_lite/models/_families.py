"""The families of Hugging Face's models as assemblies of our parts, before they get weights.

They differ in their parts alone. None of them needs a class of its own here.
"""

from __future__ import annotations

from transformer_lite.layers.embedding import SegmentEmbedding
from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.layers.pooler import Pooler
from transformer_lite.layers.positions import LearnedPositions
from transformer_lite.layers.residual import PostNorm
from transformer_lite.models._options import ACTIVATIONS, Options
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.transformer import EncoderOnlyTransformer


def bert(options: Options, with_pooler: bool) -> EncoderOnlyTransformer:
    """Post-norm with learned positions and segments, one norm behind the embedding, no √D."""
    options.require("is_decoder", False)
    options.require("add_cross_attention", False)
    options.allow("position_embedding_type", "absolute")
    width, dropout = options["hidden_size"], options["hidden_dropout_prob"]

    def norm() -> LayerNorm:
        return LayerNorm(width, options["layer_norm_eps"])

    def layer() -> EncoderLayer:
        heads = options["num_attention_heads"], options["attention_probs_dropout_prob"]
        activation = ACTIVATIONS[options.require("hidden_act", *ACTIVATIONS)]
        parts = (
            MultiHeadAttention(width, *heads),
            FeedForward(width, options["intermediate_size"], activation),
        )
        return EncoderLayer(*parts, lambda: PostNorm(norm(), dropout))

    positions = LearnedPositions(width, options["max_position_embeddings"])
    parts = positions, options["type_vocab_size"], norm(), dropout
    return EncoderOnlyTransformer(
        SegmentEmbedding(options["vocab_size"], width, *parts),
        Encoder(layer() for _ in range(options["num_hidden_layers"])),
        Pooler(width) if with_pooler else None,
        options.pad_id,
    )
