"""The names that a config may use, and the part of each name. This is their only list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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

NORMS: dict[str, Callable[[int], nn.Module]] = {"layer": LayerNorm, "rms": RMSNorm}

# Each takes a normalization, the dropout, and DeepNorm's α, which the others ignore.
RESIDUALS: dict[str, Callable[[nn.Module, float, float], Residual]] = {
    "post": lambda norm, dropout, alpha: PostNorm(norm, dropout),
    "pre": lambda norm, dropout, alpha: PreNorm(norm, dropout),
    "deep": DeepNorm,
}

# Each takes the widths of the tokens and of the hidden layer.
FEED_FORWARDS: dict[str, Callable[[int, int], nn.Module]] = {
    **{name: partial(FeedForward, activation=name) for name in ACTIVATIONS},
    "swiglu": SwiGLU,
}

# Schemes that act once, on the embeddings: each takes the width D and the maximum length.
EMBEDDED: dict[str, Callable[[int, int], PositionScheme]] = {
    "sinusoidal": SinusoidalPositions,
    "learned": LearnedPositions,
}
# Schemes that act in every self-attention: each takes H, K, and whether it is causal.
ATTENDED: dict[str, Callable[[int, int, bool], PositionScheme]] = {
    "rotary": lambda heads, width, causal: Rotary(),
    "alibi": lambda heads, width, causal: ALiBi(heads),
    "t5": lambda heads, width, causal: T5Relative(heads, bidirectional=not causal),
    "shaw": lambda heads, width, causal: ShawRelative(width),
}
POSITIONS = (*EMBEDDED, *ATTENDED, "none")
