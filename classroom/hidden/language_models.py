"""Inputs for the exercises of language models, drawn at random."""

import torch
from torch import Tensor

from classroom._draw import Draw, Inputs


def _counted(draw: Draw, size: int) -> Tensor:
    """How often each of so many tokens came after each; 0 begins, the last one ends."""
    counts = torch.zeros(size, size, dtype=draw.dtype)
    for _ in range(draw.size(1, 8)):
        words = [draw.size(1, size - 2) for _ in range(draw.size(0, 6))] if size > 2 else []
        for before, after in zip([0, *words], [*words, size - 1], strict=True):
            counts[before, after] += 1
    return counts


def draw_add_k_table(draw: Draw) -> Inputs:
    return _counted(draw, draw.size(2, 8)), draw.choice(1.0, 0.5, 0.01, 3.0)


def draw_kneser_ney(draw: Draw) -> Inputs:
    shape = draw.size(1, 6), draw.size(1, 6)
    counts = torch.tensor(
        [[draw.choice(0, 0, 1, 1, 2, 5) for _ in range(shape[1])] for _ in range(shape[0])]
    ).to(draw.dtype)
    counts[:, draw.size(0, shape[1] - 1)] += 1  # every context was seen
    return counts, draw.choice(0.75, 0.5, 0.1, 0.95)


def draw_log_probability(draw: Draw) -> Inputs:
    size = draw.size(3, 7)
    table = draw.normal(size, size).softmax(dim=1)
    if draw.choice(True, False):
        table[1, 1] = 0
    table[:, 0] = 0
    table = table / table.sum(dim=1, keepdim=True)
    table[-1] = 0
    length = draw.choice(0, 1, 3, 8, 1500)
    return table, torch.tensor([draw.size(1, size - 2) for _ in range(length)], dtype=torch.int64)


def draw_perplexity(draw: Draw) -> Inputs:
    lengths = torch.tensor([draw.size(0, 9) for _ in range(draw.size())])
    losses = draw.normal(len(lengths)).abs() + 0.1
    log_probs = -losses * (lengths + 1)
    if draw.choice(True, False, False):
        log_probs[0] = -torch.inf
    return log_probs, lengths
