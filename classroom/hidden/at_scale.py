"""Inputs for the exercises of at scale, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_average_gradients(draw: Draw) -> Inputs:
    workers, width = draw.size(), draw.size()
    counts = torch.tensor([draw.choice(0, 1, draw.size(2, 9), 40) for _ in range(workers)])
    counts[draw.size(0, workers - 1)] = draw.size(1, 9)
    gradients = draw.normal(workers, width, size=draw.choice(1, 1, 30))
    return gradients.masked_fill(counts[:, None] == 0, torch.nan), counts


def draw_roofline(draw: Draw) -> Inputs:
    """Speeds off the ridge: a tie has no bound."""
    sizes = draw.choice(1, draw.size(2, 300)), draw.size(1, 60), draw.size(1, 60)
    rows, d_in, d_out = sizes
    number, moved = draw.choice(1, 2, 4, 8), rows * d_in + d_in * d_out + rows * d_out
    ridge = 2 * rows * d_in * d_out / (number * moved)
    flops = 1000.0 * draw.size(1, 9)
    return *sizes, number, flops, flops / ridge * draw.choice(0.2, 0.7, 1.6, 11.0)


def draw_worker_seed(draw: Draw) -> Inputs:
    sizes = draw.size(1, 4), draw.size(), draw.size(1, 9)
    return draw.size(0, 50), draw.size(0, 20), *sizes, draw.choice(0.0, 0.1, 0.3, 0.5, 0.9)


def draw_accumulate(draw: Draw) -> Inputs:
    width, sizes = draw.size(), [draw.size(1, 7) for _ in range(draw.size(1, 5))]
    rows = sum(sizes)
    targets = draw.normal(rows, size=draw.choice(1, 5))
    return draw.normal(width), draw.normal(rows, width), targets, sizes
