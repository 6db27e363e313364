"""Inputs for the exercises of multi head, drawn at random."""

import math

import torch

from classroom._draw import Draw, Inputs


def draw_split_heads(draw: Draw) -> Inputs:
    heads = draw.size(1, 4)
    return draw.normal(draw.size(), draw.size(), heads * draw.size(1, 4)), heads


def draw_join_heads(draw: Draw) -> Inputs:
    h, t, k, d = draw.size(1, 4), draw.size(), draw.size(1, 4), draw.size()
    return draw.normal(h, t, k), draw.normal(h * k, d)


def draw_attend(draw: Draw) -> Inputs:
    t, h, k = draw.size(), draw.size(1, 4), draw.size(1, 4)
    x = draw.normal(t, h * k, size=math.sqrt(draw.scale()))
    weights = [draw.normal(h * k, h * k) for _ in range(4)]
    mask = draw.mask(t, t) | torch.eye(t, dtype=torch.bool)
    return x, *weights, h, mask
