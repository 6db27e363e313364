"""Inputs for the exercises of encoder, drawn at random."""

import torch
from torch import Tensor

from classroom._draw import Draw, Inputs


def _batch(draw: Draw, least: int) -> tuple[Tensor, Tensor]:
    """Sentences of unequal length whose pads are long vectors."""
    b, d = draw.size(), draw.size()
    lengths = torch.tensor([draw.size(least, 6) for _ in range(b)])
    real = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
    if draw.choice(True, False):
        real = real.flip(1)
    x = draw.normal(*real.shape, d)
    return torch.where(real[..., None], x, 5 * x), real


def draw_attend_in_batch(draw: Draw) -> Inputs:
    return _batch(draw, 1)


def draw_count_encoder(draw: Draw) -> Inputs:
    return draw.size(1, 8), draw.size(1, 40), draw.size(1, 40)


def draw_similarity(draw: Draw) -> Inputs:
    return _batch(draw, 2)
