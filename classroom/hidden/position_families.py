"""Inputs for the exercises of position families, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_shaw_scores(draw: Draw) -> Inputs:
    t, k, limit = draw.size(), draw.size(), draw.size(0, 3)
    return draw.normal(t, k), draw.normal(t, k), draw.normal(2 * limit + 1, k)


def draw_alibi_scores(draw: Draw) -> Inputs:
    h, t = draw.size(), draw.size()
    return draw.normal(h, t, t), draw.normal(h).abs() + 0.1


def draw_cached_bias(draw: Draw) -> Inputs:
    t, before, limit = draw.size(), draw.size(0, 4), draw.size(0, 3)
    return draw.normal(t, t + before), draw.normal(2 * limit + 1)
