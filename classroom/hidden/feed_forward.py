"""Inputs for the exercises of feed forward, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_contributions(draw: Draw) -> Inputs:
    t, d, m = draw.size(), draw.size(), draw.size()
    return draw.normal(t, d), draw.normal(d, m), draw.normal(m), draw.normal(m, d)


def draw_by_convolution(draw: Draw) -> Inputs:
    b, t, d, m = draw.size(), draw.size(), draw.size(), draw.size()
    weights = draw.normal(d, m), draw.normal(m), draw.normal(m, d), draw.normal(d)
    return draw.normal(b, t, d), *weights


def draw_finish_block(draw: Draw) -> Inputs:
    b, t, d, m = draw.size(), draw.size(), draw.size(), draw.size()
    weights = draw.normal(d, m), draw.normal(m), draw.normal(m, d), draw.normal(d)
    return draw.normal(b, t, d), draw.normal(b, t, d), *weights
