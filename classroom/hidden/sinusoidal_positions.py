"""Inputs for the exercises of sinusoidal positions, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_encode(draw: Draw) -> Inputs:
    width = 2 * draw.size()
    positions = draw.normal(draw.size(), size=10)
    if draw.dtype == torch.float64:  # where the powers of 10000 have no exact float32
        width = draw.choice(2, 4)
    return positions, width


def draw_add_positions(draw: Draw) -> Inputs:
    b, t, d = draw.size(), draw.size(), draw.size()
    return draw.normal(b, t, d), draw.normal(b * t + draw.size(0, 3), d)


def draw_shift(draw: Draw) -> Inputs:
    width = 2 * draw.size(1, 5)
    places = draw.normal(draw.size(), size=10).double()
    speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = places[:, None] * speeds
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return table.to(draw.dtype), draw.size(-4, 4)
