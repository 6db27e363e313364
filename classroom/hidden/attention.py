"""Inputs for the exercises of attention, drawn at random."""

import math

from classroom._draw import Draw, Inputs


def draw_soft_lookup(draw: Draw) -> Inputs:
    s, k, v = draw.size(), draw.size(), draw.size()
    return draw.normal(k, size=draw.scale()), draw.normal(s, k), draw.normal(s, v)


def draw_contextual(draw: Draw) -> Inputs:
    return (draw.normal(draw.size(), draw.size(), draw.size(), size=math.sqrt(draw.scale())),)


def draw_attend(draw: Draw) -> Inputs:
    t, d, k, v = draw.size(), draw.size(), draw.size(), draw.size()
    x = draw.normal(t, d, size=math.sqrt(draw.scale()))
    return x, draw.normal(d, k), draw.normal(d, k), draw.normal(d, v)
