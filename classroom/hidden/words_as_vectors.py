"""Inputs for the exercises of words as vectors, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_window_pairs(draw: Draw) -> Inputs:
    words = [draw.choice("a", "b", "c", "d") for _ in range(draw.size(1, 8))]
    return words, draw.choice(3, 5, 7, 9)


def draw_pair_gradient(draw: Draw) -> Inputs:
    count, width, size = draw.size(), draw.size(), draw.scale()
    x, came = draw.normal(width, size=size), draw.normal(width)
    return x, came, draw.normal(count, width)


def draw_word_analogy(draw: Draw) -> Inputs:
    rows, width = draw.size(4, 12), draw.size(2, 5)
    vectors = draw.normal(rows, width) * draw.normal(rows, 1).exp()
    a, b, c = (draw.size(0, rows - 1) for _ in range(3))
    return vectors, a, b, c


def draw_skip_gram_loss(draw: Draw) -> Inputs:
    words, width, count = draw.size(2), draw.size(), draw.size()
    inputs, outputs = draw.normal(words, width, size=draw.scale()), draw.normal(words, width)
    middles, contexts = (
        torch.tensor([draw.size(0, words - 1) for _ in range(count)]) for _ in range(2)
    )
    return inputs, outputs, middles, contexts


def draw_bag_gradient(draw: Draw) -> Inputs:
    words, width = draw.size(2), draw.size()
    inputs, outputs = draw.normal(words, width, size=draw.scale()), draw.normal(words, width)
    context = torch.tensor([draw.size(0, words - 1) for _ in range(draw.size(1, 4))])
    return inputs, outputs, context, draw.size(0, words - 1)
