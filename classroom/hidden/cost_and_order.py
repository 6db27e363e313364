"""Inputs for the exercises of cost and order, drawn at random."""

import torch

from classroom._draw import Draw, Inputs
from lessons.kit.exercises.layers_to_try import LAYERS


def draw_count_attention(draw: Draw) -> Inputs:
    heads = draw.size(1, 5)
    sizes = [[draw.size(1, 40), draw.size(1, 40)] for _ in range(draw.size())]
    return torch.tensor(sizes), heads * draw.size(1, 9), heads


def draw_equivariance_gap(draw: Draw) -> Inputs:
    x = draw.normal(draw.size(), draw.size())
    layer = draw.choice(*LAYERS.values())
    return x, torch.randperm(len(x), generator=draw.random), layer


def draw_attend_in_chunks(draw: Draw) -> Inputs:
    t, s, k, v = draw.size(1, 9), draw.size(1, 9), draw.size(), draw.size()
    query = draw.normal(t, k, size=draw.scale())
    return query, draw.normal(s, k), draw.normal(s, v), draw.size(1, 10)
