"""A small GPT-2 that the chapters on training and tuning share."""

from torch import nn

from transformer_lite.checks import check_size
from transformer_lite.layers import (
    FeedForward,
    Linear,
    MultiHeadAttention,
    PreNorm,
    UnscaledEmbedding,
)
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.layers.positions import LearnedPositions
from transformer_lite.models import Decoder, DecoderLayer, DecoderOnlyTransformer


def small_gpt(vocab_size: int, width: int, length: int) -> DecoderOnlyTransformer:
    """Return a GPT-2 of two layers and four heads with random weights.

    Args:
        vocab_size: how many tokens it knows.
        width: the width of a token, a multiple of 4.
        length: the most tokens that it can read.

    Returns:
        The model. Its output shares its weights with its table of embeddings.

    Raises:
        ValueError: a size is less than 1, or the width is not a multiple of 4.
    """
    for name, size in (("vocab_size", vocab_size), ("width", width), ("length", length)):
        check_size(name, size)
    if width % 4:
        raise ValueError(f"width must be a multiple of 4, the number of heads, got {width}")
    table = UnscaledEmbedding(vocab_size, width, LearnedPositions(width, length))
    output = Linear(width, vocab_size, bias=False)
    output.weight = table.table.weight
    layers: list[nn.Module] = [
        DecoderLayer(
            MultiHeadAttention(width, 4),
            FeedForward(width, 4 * width, "gelu_tanh"),
            lambda: PreNorm(LayerNorm(width)),
        )
        for _ in range(2)
    ]
    decoder = Decoder(layers, LayerNorm(width))
    return DecoderOnlyTransformer(table, decoder, output, pad_id=None)
