"""Inputs for the exercises of at scale, drawn at random."""

import torch

from transformer_lite.classroom._draw import Draw, Inputs


def draw_average_gradients(draw: Draw) -> Inputs:
    workers, width = draw.size(), draw.size()
    counts = torch.tensor([draw.choice(0, 1, draw.size(2, 9), 40) for _ in range(workers)])
    counts[draw.size(0, workers - 1)] = draw.size(1, 9)
    gradients = draw.normal(workers, width, size=draw.choice(1, 1, 30))
    return gradients.masked_fill(counts[:, None] == 0, torch.nan), counts


def draw_shard(draw: Draw) -> Inputs:
    workers = draw.size(1, 5)
    rank = draw.size(0, workers - 1)
    return draw.size(1, 30), draw.size(0, 50), draw.size(0, 9), rank, workers


def draw_worker_seed(draw: Draw) -> Inputs:
    sizes = draw.size(1, 4), draw.size(), draw.size(1, 9)
    return draw.size(0, 50), draw.size(0, 20), *sizes, draw.choice(0.0, 0.1, 0.3, 0.5, 0.9)


def draw_accumulate(draw: Draw) -> Inputs:
    width, sizes = draw.size(), [draw.size(1, 7) for _ in range(draw.size(1, 5))]
    rows = sum(sizes)
    targets = draw.normal(rows, size=draw.choice(1, 5))
    return draw.normal(width), draw.normal(rows, width), targets, sizes
