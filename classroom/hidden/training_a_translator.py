"""Inputs for the exercises of training a translator, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_clipped_gradients(draw: Draw) -> Inputs:
    return draw.normal(draw.size(), draw.size(), size=draw.scale()), draw.choice(0.5, 1.0, 10.0)


def draw_ngram_counts(draw: Draw) -> Inputs:
    texts = [
        torch.tensor([draw.choice(4, 5, 6, 7) for _ in range(draw.size(1, 9))]) for _ in range(2)
    ]
    return *texts, draw.size(1, 4)


def draw_rates_of_run(draw: Draw) -> Inputs:
    return draw.size(), draw.size(), draw.choice(1.0, 0.003, 0.5), draw.size(1, 12)
