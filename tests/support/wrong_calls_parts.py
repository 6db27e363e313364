"""Wrong input for positions, feed-forward layers and residual recipes, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch

import transformer_lite as tl
from transformer_lite.layers.feed_forward import ACTIVATIONS
from transformer_lite.layers.positions.relative import offsets

X = torch.ones(2, 5, 8)
QUERY = torch.ones(2, 3, 5, 4)
IDS = torch.tensor([[4, 5, 0]])
NORM = torch.nn.Identity()

# fmt: off
WRONG_TYPE = [
    (lambda: tl.positions.LearnedPositions(8, 5).embed(X.double()), "x and table must share one dtype, got x torch.float64, table torch.float32"),
    (lambda: tl.positions.t5_buckets(-3), "offset must be a tensor of int32 or int64, got int"),
    (lambda: tl.positions.t5_buckets(X), "offset must be a tensor of int32 or int64, got torch.float32"),
]

WRONG_VALUE = [
    (lambda: tl.sinusoidal_positions(0, 8), "length must be at least 1, got 0"),
    (lambda: tl.sinusoidal_positions(5, 7), "d_model must be even, for pairs of sine and cosine, got 7"),
    (lambda: tl.sinusoidal_positions(5, 8, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.positions.sinusoidal_frequencies(0), "d_model must be at least 2, got 0"),
    (lambda: tl.positions.sinusoidal_frequencies(8, base=0), "base must be greater than 0, got 0"),
    (lambda: tl.positions.sinusoidal_frequencies(8, base=-10.0), "base must satisfy 0 <= base < inf, got -10.0"),
    (lambda: tl.positions.shift_rotation(float("nan"), 8), "offset must satisfy -inf <= offset < inf, got nan"),
    (lambda: tl.positions.shift_rotation(1, 5), "d_model must be even, for pairs of sine and cosine, got 5"),
    (lambda: tl.positions.SinusoidalPositions(8, max_len=0), "max_len must be at least 1, got 0"),
    (lambda: tl.positions.SinusoidalPositions(8).embed(X, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.positions.binary_positions(5, 2), "length must be at most 2**bits = 4, got 5"),
    (lambda: tl.positions.binary_positions(0, 2), "length must be at least 1, got 0"),
    (lambda: tl.positions.binary_positions(1, 0), "bits must be at least 1, got 0"),
    (lambda: tl.positions.LearnedPositions(0, 5), "d_model must be at least 1, got 0"),
    (lambda: tl.positions.LearnedPositions(8, 0), "max_len must be at least 1, got 0"),
    (lambda: tl.positions.LearnedPositions(8, 5).embed(X[..., :1]), "x must have shape (B, T, 8), got (2, 5, 1)"),
    (lambda: offsets(-1, 3), "query_length must be at least 0, got -1"),
    (lambda: tl.positions.t5_buckets(IDS, num_buckets=2), "num_buckets must be at least 4, got 2"),
    (lambda: tl.positions.t5_buckets(IDS, num_buckets=9), "num_buckets must be even if bidirectional, got 9"),
    (lambda: tl.positions.t5_buckets(IDS, max_distance=8), "max_distance must exceed the 8 exact buckets, got 8"),
    (lambda: tl.positions.t5_buckets(IDS, max_distance=0), "max_distance must be at least 1, got 0"),
    (lambda: tl.positions.T5Relative(0), "num_heads must be at least 1, got 0"),
    (lambda: tl.positions.T5Relative(3, bidirectional=False, max_distance=16), "max_distance must exceed the 16 exact buckets, got 16"),
    (lambda: tl.positions.T5Relative(3).bias(QUERY, -5), "key_length must be at least 0, got -5"),
    (lambda: tl.positions.ShawRelative(0), "d_head must be at least 1, got 0"),
    (lambda: tl.positions.ShawRelative(4, max_distance=0), "max_distance must be at least 1, got 0"),
    (lambda: tl.positions.ShawRelative(4).bias(QUERY, 5, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.positions.alibi_slopes(0), "num_heads must be at least 1, got 0"),
    (lambda: tl.positions.rotate_interleaved(X[..., :7]), "x must have an even width, at least 2, got shape (2, 5, 7)"),
    (lambda: tl.positions.rotate_half_split(X[0, 0]), "x must have at least 2 axes, got shape (8,)"),
    (lambda: tl.positions.Rotary().rotate(X, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.positions.LinearScaling(0.5), "factor must satisfy 1 <= factor < inf, got 0.5"),
    (lambda: tl.positions.Llama3Scaling(8.0, 4.0, 4.0, 32), "high_freq_factor must be above low_freq_factor, 4.0, got 4.0"),
    (lambda: tl.positions.Llama3Scaling(8.0, 1.0, 4.0, 0), "original_max_len must be at least 1, got 0"),
    (lambda: tl.positions.YarnScaling(8.0, 32, beta_slow=0), "beta_slow must be above 0 and at most beta_fast, got beta_slow=0, beta_fast=32.0"),
    (lambda: tl.positions.Rotary(1.0, tl.positions.YarnScaling(8.0, 32)), "base must be above 1, so that pairs differ in speed, got 1.0"),
    (lambda: tl.positions.Rotary(base=0), "base must be greater than 0, got 0"),
    (lambda: tl.positions.half_split_order(5), "d_head must be even, for pairs of columns, got 5"),
    (lambda: tl.positions.half_split_order(0), "d_head must be at least 2, got 0"),
    (lambda: tl.FeedForward(0, 16), "d_model must be at least 1, got 0"),
    (lambda: tl.FeedForward(8, -1), "d_ff must be at least 1, got -1"),
    (lambda: tl.FeedForward(8, 16, "swish"), f"activation must be one of {', '.join(ACTIVATIONS)}, got 'swish'"),
    (lambda: tl.FeedForward(8, 16, dropout=1.0), "dropout must satisfy 0 <= dropout < 1, got 1.0"),
    (lambda: tl.FeedForward(8, 16)(X[..., :6]), "x must have shape (..., 8), got (2, 5, 6)"),
    (lambda: tl.layers.SwiGLU(-8, 16), "d_model must be at least 1, got -8"),
    (lambda: tl.layers.SwiGLU(8, 0), "d_ff must be at least 1, got 0"),
    (lambda: tl.layers.SwiGLU(8, 16, dropout=-0.5), "dropout must satisfy 0 <= dropout < 1, got -0.5"),
    (lambda: tl.layers.SwiGLU(8, 16)(X[..., :1]), "x must have shape (..., 8), got (2, 5, 1)"),
    (lambda: tl.layers.feed_forward_from_keys(X, X, X), "keys must have shape (M, D), got (2, 5, 8)"),
    (lambda: tl.layers.feed_forward_from_keys(X, X[0], X[0].T), "values must have shape (5, 8), got (8, 5)"),
    (lambda: tl.layers.feed_forward_from_keys(X, X[0].T, X[0].T), "x must have shape (..., 5), got (2, 5, 8)"),
    (lambda: tl.PostNorm(NORM, dropout=1), "dropout must satisfy 0 <= dropout < 1, got 1"),
    (lambda: tl.layers.DeepNorm(NORM, alpha=-1.0), "alpha must satisfy 0 <= alpha < inf, got -1.0"),
    (lambda: tl.layers.deepnorm_constants(-1, 6), "num_encoder_layers must be at least 0, got -1"),
    (lambda: tl.layers.deepnorm_constants(6, -2), "num_decoder_layers must be at least 0, got -2"),
    (lambda: tl.layers.deepnorm_constants(0, 0), "num_encoder_layers or num_decoder_layers must be at least 1, got 0 and 0"),
]
