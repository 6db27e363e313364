"""Inputs for the exercises of descendants, drawn at random."""

from transformer_lite.classroom._draw import Draw, Inputs
from transformer_lite.exercises._tied_model import TiedModel


def draw_count_decoder(draw: Draw) -> Inputs:
    return tuple(draw.size(1, high) for high in (50, 30, 8, 40, 40))


def draw_low_rank(draw: Draw) -> Inputs:
    e, d, r = draw.size(), draw.size(), draw.size()
    alpha = draw.choice(0.5, 1.0, 4.0, 16.0, 3.0)
    return draw.normal(e, d), draw.normal(r, d), draw.normal(e, r), alpha


def draw_group_heads(draw: Draw) -> Inputs:
    groups = draw.size(1, 4)
    keys = draw.normal(draw.size(1, 4), groups, draw.size(1, 4), draw.size(1, 4))
    return keys, groups * draw.size(1, 4)


def draw_tied_weights(draw: Draw) -> Inputs:
    vocab, width = draw.size(2), draw.size(2)
    model = TiedModel(draw.normal(vocab, width), draw.normal(width, width))
    table, middle = draw.normal(vocab, width), draw.normal(width, width)
    return model, {"embedding.weight": table, "middle.weight": middle}
