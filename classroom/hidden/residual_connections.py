"""Inputs for the exercises of residual connections, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_pre_norm(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    x = draw.normal(t, d, size=draw.choice(0.1, 1), shift=draw.choice(0, 7))
    return x, draw.normal(d, d), draw.choice(1e-5, 0.01, 0.3)


def draw_walk_back(draw: Draw) -> Inputs:
    layers, d = draw.size(1, 5), draw.size()
    return draw.normal(layers, d, d, size=0.5), draw.normal(d)


def draw_by_path_length(draw: Draw) -> Inputs:
    return (draw.normal(draw.size(), size=draw.choice(0.1, 1)),)
