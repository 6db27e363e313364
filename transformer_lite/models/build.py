"""Build a model from a config: make its parts and put them together."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from torch import nn

from transformer_lite.layers.embedding import TokenEmbedding
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.positions import PositionScheme
from transformer_lite.layers.residual import Residual, deepnorm_constants
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    Transformer,
)
from transformer_lite.models.variants import ATTENDED, EMBEDDED, FEED_FORWARDS, NORMS, RESIDUALS

Stack = TypeVar("Stack", bound=nn.Module)


def build(config: TransformerConfig) -> Transformer:
    """Build an encoder–decoder from a config.

    Args:
        config: its sizes and choices.

    Returns:
        A new model in training mode, which keeps its config for :func:`save`.

    Raises:
        TypeError: `config` is not a :class:`TransformerConfig`.

    Reference: Vaswani et al. 2017. Differs from the paper: the projections of the attention have
    biases.

    >>> model = build(TransformerConfig(7, 9, d_model=8, num_heads=2, num_decoder_layers=3))
    >>> len(model.decoder.layers), model.output.weight.shape
    (3, torch.Size([9, 8]))
    """
    _check_config(config)
    constants = _residual_constants(config, config.num_encoder_layers, config.num_decoder_layers)
    src_embedding = make_embedding(config, config.src_vocab_size)
    tgt_embedding = make_embedding(config, config.tgt_vocab_size)
    model = Transformer(
        src_embedding,
        tgt_embedding,
        make_encoder(config, constants["encoder_alpha"], constants["encoder_beta"]),
        make_decoder(config, constants["decoder_alpha"], constants["decoder_beta"], crosses=True),
        make_output(config, tgt_embedding),
        config.pad_id,
    )
    if config.tie_embeddings:
        src_embedding.table.weight = tgt_embedding.table.weight
    model.config = config
    return model


def build_decoder_only(config: TransformerConfig) -> DecoderOnlyTransformer:
    """Build a language model, from the config's fields for target and decoder.

    Args, Returns, Raises: as in :func:`build`.
    """
    _check_config(config)
    constants = _residual_constants(config, 0, config.num_decoder_layers)
    embedding = make_embedding(config, config.tgt_vocab_size)
    model = DecoderOnlyTransformer(
        embedding,
        make_decoder(config, constants["decoder_alpha"], constants["decoder_beta"], crosses=False),
        make_output(config, embedding),
        config.pad_id,
    )
    model.config = config
    return model


def build_encoder_only(config: TransformerConfig) -> EncoderOnlyTransformer:
    """Build an encoder-only model, from the config's fields for source and encoder.

    Args, Returns, Raises: as in :func:`build`.
    """
    _check_config(config)
    constants = _residual_constants(config, config.num_encoder_layers, 0)
    model = EncoderOnlyTransformer(
        make_embedding(config, config.src_vocab_size),
        make_encoder(config, constants["encoder_alpha"], constants["encoder_beta"]),
        pad_id=config.pad_id,
    )
    model.config = config
    return model


def make_embedding(config: TransformerConfig, vocab_size: int) -> TokenEmbedding:
    """Return a new embedding, with positions if the config's scheme acts there."""
    make = EMBEDDED.get(config.positions)
    positions = make(config.d_model, config.max_len) if make else PositionScheme()
    return TokenEmbedding(vocab_size, config.d_model, positions, config.dropout)


def make_self_attention(config: TransformerConfig, causal: bool) -> MultiHeadAttention:
    """Return a new self-attention with its positions; a causal one does not look ahead."""
    width, heads = config.d_model, config.num_heads
    make = ATTENDED.get(config.positions)
    positions = make(heads, width // heads, causal) if make else None
    return MultiHeadAttention(width, heads, positions=positions)


def make_residual(config: TransformerConfig, alpha: float) -> Residual:
    """Return a new residual connection with its normalization."""
    return RESIDUALS[config.residual](NORMS[config.norm](config.d_model), config.dropout, alpha)


def make_encoder(config: TransformerConfig, alpha: float, beta: float) -> Encoder:
    """Return a new encoder; α and β are DeepNorm's, and 1 for other residual connections."""
    layers = [
        EncoderLayer(
            make_self_attention(config, causal=False),
            FEED_FORWARDS[config.activation](config.d_model, config.d_ff),
            partial(make_residual, config, alpha),
        )
        for _ in range(config.num_encoder_layers)
    ]
    return _initialize(Encoder(layers, _final_norm(config)), beta)


def make_decoder(config: TransformerConfig, alpha: float, beta: float, crosses: bool) -> Decoder:
    """Return a new decoder, with cross-attention or without; α and β as for the encoder."""
    layers = [
        DecoderLayer(
            make_self_attention(config, causal=True),
            FEED_FORWARDS[config.activation](config.d_model, config.d_ff),
            partial(make_residual, config, alpha),
            MultiHeadAttention(config.d_model, config.num_heads) if crosses else None,
        )
        for _ in range(config.num_decoder_layers)
    ]
    return _initialize(Decoder(layers, _final_norm(config)), beta)


def make_output(config: TransformerConfig, embedding: TokenEmbedding) -> Linear:
    """Return the layer that computes logits; if tied, it shares the embedding's table."""
    output = Linear(config.d_model, config.tgt_vocab_size, bias=False)
    nn.init.normal_(output.weight, std=config.d_model**-0.5)
    if config.tie_embeddings:
        output.weight = embedding.table.weight
    return output


def _check_config(config: object) -> None:
    if not isinstance(config, TransformerConfig):
        raise TypeError(f"config must be a TransformerConfig, got {type(config).__name__}")


def _residual_constants(
    config: TransformerConfig, encoder_layers: int, decoder_layers: int
) -> dict[str, float]:
    """Return DeepNorm's constants, or 1 for other residual connections."""
    constants = deepnorm_constants(encoder_layers, decoder_layers)
    return constants if config.residual == "deep" else dict.fromkeys(constants, 1.0)


def _final_norm(config: TransformerConfig) -> nn.Module | None:
    return NORMS[config.norm](config.d_model) if config.residual == "pre" else None


def _initialize(stack: Stack, beta: float) -> Stack:
    """Initialize matrices with Glorot's variance and biases with 0; β shrinks some of them."""
    for name, module in stack.named_modules():
        if isinstance(module, nn.Linear):
            gain = 1.0 if name.endswith(("q_proj", "k_proj")) else beta
            nn.init.xavier_uniform_(module.weight, gain)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    return stack
