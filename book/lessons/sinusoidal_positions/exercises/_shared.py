"""Share code between the exercises on sinusoidal positions."""

import torch
from torch import Tensor

from transformer_lite.layers.positions import sinusoidal_frequencies


def interleave(even: Tensor, odd: Tensor) -> Tensor:
    """Put two tables of shape (T, D/2) together, column by column."""
    return torch.stack([even, odd], dim=-1).flatten(start_dim=-2)


def angles_of(positions: Tensor, d_model: int, base: float = 10000.0) -> Tensor:
    return positions[:, None] * sinusoidal_frequencies(d_model, base).to(positions.dtype)


def encoded(positions: Tensor, d_model: int, base: float = 10000.0) -> Tensor:
    angles = angles_of(positions, d_model, base)
    return interleave(angles.sin(), angles.cos())
