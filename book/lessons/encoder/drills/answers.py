"""The right answers of the chapter's drills, computed by the package."""

import torch
from torch import Tensor, nn

from lessons.kit.drills.answers import Problem
from transformer_lite.layers import FeedForward, MultiHeadAttention, PostNorm
from transformer_lite.layers.norms import LayerNorm
from transformer_lite.models.encoder import Encoder, EncoderLayer


def encoder_weights(p: Problem) -> Tensor:
    def layer() -> EncoderLayer:
        parts = MultiHeadAttention(p["D"], p["H"]), FeedForward(p["D"], p["M"])
        return EncoderLayer(*parts, lambda: PostNorm(LayerNorm(p["D"])))

    layers = [layer() for _ in range(p["layers"])]
    first = layers[0]
    norms = nn.ModuleList([first.self_attention_residual, first.feed_forward_residual])
    parts = [first.self_attention, first.feed_forward, norms, Encoder(layers)]
    return torch.tensor([sum(w.numel() for w in part.parameters()) for part in parts])


def encoder_shapes(p: Problem) -> list[str]:
    """Return the shapes of what the package computes on the way."""
    width = p["H"] * p["K"]
    attention, feed_forward = MultiHeadAttention(width, p["H"]), FeedForward(width, p["M"])
    layer = EncoderLayer(attention, feed_forward, lambda: PostNorm(LayerNorm(width)))
    x = torch.zeros(p["B"], p["S"], width)
    heads, scores = attention.project(x)[0], attention.steps(x).scores
    stages = [x, heads, scores, feed_forward.up(x), Encoder([layer, layer])(x)]
    return [str(tuple(stage.shape)) for stage in stages]
