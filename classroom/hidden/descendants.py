"""Inputs for the exercises of descendants, drawn at random."""

from classroom._draw import Draw, Inputs
from lessons.kit.exercises.tied_model import TiedModel


def draw_route(draw: Draw) -> Inputs:
    experts = draw.size(1, 7)
    scores = draw.normal(draw.size(1, 8), experts, size=draw.choice(1, 1, 2, 30, 1000))
    return scores.float(), draw.size(1, experts)


def draw_window_mask(draw: Draw) -> Inputs:
    return draw.size(1, 7), draw.size(1, 9), draw.choice(0, draw.size(1, 9))


def draw_group_heads(draw: Draw) -> Inputs:
    groups = draw.size(1, 4)
    keys = draw.normal(draw.size(1, 4), groups, draw.size(1, 4), draw.size(1, 4))
    return keys, groups * draw.size(1, 4)


def draw_tied_weights(draw: Draw) -> Inputs:
    vocab, width = draw.size(2), draw.size(2)
    model = TiedModel(draw.normal(vocab, width), draw.normal(width, width))
    table, middle = draw.normal(vocab, width), draw.normal(width, width)
    return model, {"embedding.weight": table, "middle.weight": middle}
