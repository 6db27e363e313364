"""Inputs for the exercises of rotary positions, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_rotary(draw: Draw) -> Inputs:
    t, half = draw.size(), draw.size()
    return draw.normal(t, 2 * half), draw.normal(t, size=10), draw.normal(half).abs()


def draw_to_half_split(draw: Draw) -> Inputs:
    heads = draw.size(1, 4)
    return draw.normal(draw.size(), heads * 2 * draw.size(1, 4)), heads


def draw_rotate_halves(draw: Draw) -> Inputs:
    t, half = draw.size(), draw.size()
    return draw.normal(t, 2 * half), draw.normal(t, half, size=draw.choice(1, 10))
