"""The choices that a config names, and the part behind each name. They stand here and only here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch import nn

from transformer_lite.layers.feed_forward import ACTIVATIONS, FeedForward, SwiGLU
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.positions import (
    ALiBi,
    LearnedPositions,
    PositionScheme,
    Rotary,
    ShawRelative,
    SinusoidalPositions,
    T5Relative,
)
from transformer_lite.layers.residual import DeepNorm, PostNorm, PreNorm, Residual

if TYPE_CHECKING:
    from transformer_lite.models.config import TransformerConfig

NORMS: dict[str, Callable[[int], nn.Module]] = {"layer": LayerNorm, "rms": RMSNorm}

# Each takes a normalization, the dropout, and DeepNorm's α, which the others do without.
RESIDUALS: dict[str, Callable[[nn.Module, float, float], Residual]] = {
    "post": lambda norm, dropout, alpha: PostNorm(norm, dropout),
    "pre": lambda norm, dropout, alpha: PreNorm(norm, dropout),
    "deep": DeepNorm,
}

FEED_FORWARDS: dict[str, Callable[[TransformerConfig], nn.Module]] = {
    **{
        name: lambda config: FeedForward(config.d_model, config.d_ff, config.activation)
        for name in ACTIVATIONS
    },
    "swiglu": lambda config: SwiGLU(config.d_model, config.d_ff),
}

# Schemes that act on the embeddings, once, and schemes that act in every self-attention.
EMBEDDED: dict[str, Callable[[TransformerConfig], PositionScheme]] = {
    "sinusoidal": lambda config: SinusoidalPositions(config.d_model, config.max_len),
    "learned": lambda config: LearnedPositions(config.d_model, config.max_len),
}
ATTENDED: dict[str, Callable[[TransformerConfig, bool], PositionScheme]] = {
    "rotary": lambda config, causal: Rotary(),
    "alibi": lambda config, causal: ALiBi(config.num_heads),
    "t5": lambda config, causal: T5Relative(config.num_heads, bidirectional=not causal),
    "shaw": lambda config, causal: ShawRelative(config.d_model // config.num_heads),
}
POSITIONS = (*EMBEDDED, *ATTENDED, "none")
