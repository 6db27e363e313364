"""Wrong input for low-rank changes, patches, experts, state spaces and published sizes."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import dataclasses
from typing import Any

import torch
from torch import nn

import transformer_lite as tl
from transformer_lite.models.variants import FEED_FORWARDS

X = torch.ones(2, 5, 8)
IMAGES = torch.ones(2, 3, 8, 12)
NO_MODULES: list[Any] = [nn.Identity(), torch.relu]
STATE = torch.zeros(2, 8, 3)


def low_rank(rank=2, alpha=4.0):
    return tl.layers.LowRank(nn.Linear(8, 4), rank, alpha)


def patches(patch_size=4, channels=3, d_model=8):
    return tl.layers.PatchEmbedding(patch_size, channels, d_model)


def experts(d_model=8, count=3, num_chosen=2):
    return tl.layers.MixtureOfExperts(d_model, [nn.Identity()] * count, num_chosen)


def space(d_model=8, num_states=3):
    return tl.layers.DiagonalStateSpace(d_model, num_states)


def published(**changes):
    return dataclasses.replace(tl.models.PUBLISHED["GPT-2 small"], **changes)


# fmt: off
WRONG_CALLS = [
    (lambda: tl.layers.LowRank(nn.Identity(), 2, 4.0), "linear must be a torch.nn.Linear, got Identity", TypeError),
    (lambda: tl.layers.LowRank(low_rank(), 2, 4.0), "linear must be a torch.nn.Linear, got LowRank", TypeError),
    (lambda: low_rank(rank=0), "rank must be at least 1, got 0", ValueError),
    (lambda: low_rank(alpha=0), "alpha must be greater than 0, got 0", ValueError),
    (lambda: low_rank(alpha=-1.0), "alpha must satisfy 0 <= alpha < inf, got -1.0", ValueError),
    (lambda: low_rank()(X[..., :4]), "x must have shape (..., 8), got (2, 5, 4)", ValueError),
    (lambda: tl.layers.sliding_window_mask(3, 0), "window must be at least 1, got 0", ValueError),
    (lambda: tl.layers.cut_patches(IMAGES[0], 2), "images must have shape (B, C, height, width), got (3, 8, 12)", ValueError),
    (lambda: tl.layers.cut_patches(IMAGES, 0), "patch_size must be at least 1, got 0", ValueError),
    (lambda: tl.layers.cut_patches(IMAGES, 8), "patch_size must divide height and width, got patch_size=8, height=8, width=12", ValueError),
    (lambda: tl.layers.cut_patches(IMAGES, 3), "patch_size must divide height and width, got patch_size=3, height=8, width=12", ValueError),
    (lambda: patches(patch_size=True), "patch_size must be an int, got bool: True", TypeError),
    (lambda: patches(channels="3"), "channels must be an int, got str: '3'", TypeError),
    (lambda: patches(d_model=0), "d_model must be at least 1, got 0", ValueError),
    (lambda: patches(channels=1)(IMAGES), "images must have shape (B, 1, height, width), got (2, 3, 8, 12)", ValueError),
    (lambda: patches()(IMAGES.double()), "images and weights must share one dtype, got images torch.float64, weights torch.float32", TypeError),
    (lambda: experts(d_model=8.0), "d_model must be an int, got float: 8.0", TypeError),
    (lambda: experts(num_chosen=0), "num_chosen must be at least 1, got 0", ValueError),
    (lambda: experts(count=1), "num_chosen must be at most the number of experts, got num_chosen=2, 1 experts", ValueError),
    (lambda: tl.layers.MixtureOfExperts(8, NO_MODULES, 2), "experts[1] must be a torch.nn.Module, got <built-in method relu", TypeError),
    (lambda: experts()(X[..., :4]), "x must have shape (..., 8), got (2, 5, 4)", ValueError),
    (lambda: space(d_model=None), "d_model must be an int, got NoneType: None", TypeError),
    (lambda: space(num_states=0), "num_states must be at least 1, got 0", ValueError),
    (lambda: space()(X[0]), "x must have shape (B, T, 8) with T at least 1, got (5, 8)", ValueError),
    (lambda: space()(X[:, :0]), "x must have shape (B, T, 8) with T at least 1, got (2, 0, 8)", ValueError),
    (lambda: space().recurrence(X[..., :4]), "x must have shape (..., 8), got (2, 5, 4)", ValueError),
    (lambda: space().kernel(0), "length must be at least 1, got 0", ValueError),
    (lambda: space().start(2.0), "batch must be an int, got float: 2.0", TypeError),
    (lambda: space().step(X[:, 0], STATE[:1]), "state must have shape (2, 8, 3), got (1, 8, 3)", ValueError),
    (lambda: space().step(X, STATE), "x must have shape (B, 8), got (2, 5, 8)", ValueError),
    (lambda: space().step(X[:, 0], STATE.double()), "x, state and weights must share one dtype, got x torch.float32, state torch.float64, weights torch.float32", TypeError),
    (lambda: published(d_model=768.0), "d_model must be an int, got float: 768.0", TypeError),
    (lambda: published(d_ff=0), "d_ff must be at least 1, got 0", ValueError),
    (lambda: published(max_len=-1), "max_len must be at least 0, got -1", ValueError),
    (lambda: published(window=None), "window must be an int, got NoneType: None", TypeError),
    (lambda: published(num_experts=2, experts_chosen=3), "num_experts must be at least 3, got 2", ValueError),
    (lambda: published(norm="batch"), "norm must be one of layer, rms, got 'batch'", ValueError),
    (lambda: published(residual="none"), "residual must be one of post, pre, deep, got 'none'", ValueError),
    (lambda: published(feed_forward="glu"), f"feed_forward must be one of {', '.join(FEED_FORWARDS)}, got 'glu'", ValueError),
    (lambda: published(positions="alibi"), "positions must be one of learned, rotary, t5, got 'alibi'", ValueError),
    (lambda: published(num_kv_heads=5), "num_kv_heads must divide num_heads, got num_heads=12, num_kv_heads=5", ValueError),
    (lambda: published(decoder_layers=0), "encoder_layers or decoder_layers must be at least 1, got 0 and 0", ValueError),
    (lambda: tl.models.count_multiply_adds(published(), 0), "context must be at least 1, got 0", ValueError),
    (lambda: tl.models.memory(published(), torch.int8), "dtype must be a floating-point type, got torch.int8", TypeError),
    (lambda: tl.models.memory(published(), "bf16"), "dtype must be a floating-point type, got 'bf16'", TypeError),
]
# fmt: on
