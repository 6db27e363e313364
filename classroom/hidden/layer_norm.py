"""Inputs for the exercises of layer norm, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_layer_norm(draw: Draw) -> Inputs:
    shape = [draw.size() for _ in range(draw.size(1, 3))]
    x = draw.normal(*shape, size=draw.choice(0.01, 1, 1))
    return x, draw.normal(shape[-1]), draw.normal(shape[-1]), draw.choice(1e-5, 1e-2, 0.3)


# Whether it is repaired or written, it is the same function of the same inputs.
draw_normalize = draw_layer_norm


def draw_rms_norm(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    x = draw.normal(t, d, size=draw.choice(0.1, 1), shift=draw.choice(0, 9))
    return x, draw.normal(d), draw.choice(1e-5, 0.01, 0.3)
