"""Inputs for the exercises of scaling, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_gap_for(draw: Draw) -> Inputs:
    shares = torch.sigmoid(draw.normal(draw.size(), size=draw.choice(1, 3)).double())
    if draw.size() == 1:
        shares = shares**3 * 1e-8
    return (shares.to(draw.dtype),)


def draw_tempered(draw: Draw) -> Inputs:
    precise = draw.dtype == torch.float64  # float32 would leave three digits of such scores
    scores = draw.normal(draw.size(), draw.size(), size=draw.choice(1, 10, 1000 if precise else 3))
    shift = draw.choice(0, 0, 9000, -9000) if precise else 0
    return scores + shift, draw.choice(0.5, 1.0, 2.0, 30.0)


def draw_softmax_backward(draw: Draw) -> Inputs:
    t, s = draw.size(), draw.size()
    return draw.normal(t, s, size=draw.choice(1, 3)).softmax(dim=-1), draw.normal(t, s)


def draw_attend_scaled(draw: Draw) -> Inputs:
    h, t, s, k, v = draw.size(), draw.size(), draw.size(), draw.size(), draw.size()
    query = draw.normal(h, t, k, size=draw.scale())
    return query, draw.normal(h, s, k), draw.normal(h, s, v)
