"""Inputs for the exercises of common scale, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_scale_test_data(draw: Draw) -> Inputs:
    d = draw.size()
    train = draw.normal(draw.size(4, 8), d, size=3, shift=2)
    return train, draw.normal(draw.size(), d, shift=draw.choice(0, 9))


def draw_fold_scaling(draw: Draw) -> Inputs:
    d = draw.size()
    return draw.normal(d), draw.normal(), draw.normal(d, size=3), 0.5 + draw.normal(d).abs()


def draw_rescale(draw: Draw) -> Inputs:
    low = draw.choice(-3.0, 0.0, 1.5)
    table = draw.normal(draw.size(3, 8), draw.size(), size=draw.choice(1, 4), shift=5)
    return table, low, low + draw.choice(0.5, 1.0, 4.0)
