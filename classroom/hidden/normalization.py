"""Inputs for the exercises of normalization, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_group_norm(draw: Draw) -> Inputs:
    groups = draw.size(1, 3)
    x = draw.normal(draw.size(), draw.size(2), groups * draw.size(1, 3), size=draw.choice(0.1, 1))
    return x, groups, draw.choice(1e-5, 1e-2, 0.3)


def draw_batch_norm_without_pads(draw: Draw) -> Inputs:
    b, t, d = draw.size(), draw.size(), draw.size()
    mask = draw.mask(b, t)
    mask[0, 0] = True
    x = draw.normal(b, t, d)
    return x + 9 * ~mask[..., None], mask, draw.choice(1e-3, 0.25)


def draw_batch_norm(draw: Draw) -> Inputs:
    d = draw.size()
    x = draw.normal(draw.size(2), draw.size(2), d) + 3 * torch.arange(d)
    return x, draw.choice(1e-5, 1e-2, 0.3)
