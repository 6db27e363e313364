"""Inputs for the exercises of what a transformer does, drawn at random."""

from classroom._draw import Draw, Inputs


def draw_shift_rows(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    return draw.normal(t, d), draw.normal(t), draw.normal(d)


def draw_dot_products(draw: Draw) -> Inputs:
    b, t, s, k = draw.size(), draw.size(), draw.size(), draw.size()
    return draw.normal(b, t, k), draw.normal(b, s, k)


def draw_gradient(draw: Draw) -> Inputs:
    n, d = draw.size(), draw.size()
    return draw.normal(n, d), draw.normal(n), draw.normal(d)


def draw_squared_error(draw: Draw) -> Inputs:
    m, n = draw.size(), draw.size()
    return draw.normal(m, n, 1), draw.normal(n)


def draw_descend(draw: Draw) -> Inputs:
    n, d = draw.size(), draw.size(high=3)
    rate, steps = draw.choice(0.001, 0.01, 0.02), draw.size(0, 5)
    return draw.normal(n, d), draw.normal(n), draw.normal(d), rate, steps


def draw_adam_step(draw: Draw) -> Inputs:
    n = draw.size()
    w, gradient, m = (draw.normal(n) for _ in range(3))
    return w, gradient, m, draw.normal(n).square(), draw.size(1, 20), draw.choice(0.1, 0.01)
