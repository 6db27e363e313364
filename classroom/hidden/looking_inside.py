"""Inputs for the exercises of looking inside, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_mean_pool(draw: Draw) -> Inputs:
    batch, places, width = draw.size(), draw.size(), draw.size()
    keep = draw.mask(batch, places)
    keep[torch.arange(batch), [draw.size(0, places - 1) for _ in range(batch)]] = True
    hidden = draw.normal(batch, places, width)
    return torch.where(keep[..., None], hidden, 5 * hidden + 3), keep


def draw_silence_head(draw: Draw) -> Inputs:
    b, h, t, s, k, d = (draw.size(high=4) for _ in range(6))
    head = draw.size(0, h - 1)
    values = draw.normal(b, h, s, k)
    values[:, head] *= 5
    return draw.normal(b, h, t, s, size=draw.scale()), values, draw.normal(h * k, d), head


def draw_leave_one_out(draw: Draw) -> Inputs:
    labels = torch.tensor([0, 0, 1, 1, *(draw.size(0, 1) for _ in range(draw.size(0, 8)))])
    labels = labels[torch.randperm(len(labels), generator=draw.random)]
    x = draw.normal(len(labels), draw.size(1, 20), shift=draw.choice(0, 0, 3))
    x[:, 0] += draw.choice(0, 1, 4) * labels
    return x, labels


def draw_patched_share(draw: Draw) -> Inputs:
    """Runs that differ in what they say: their distance is divided by."""
    places, width = draw.size(), draw.size()
    while True:
        a, b = draw.normal(places, width), draw.normal(places, width)
        readout = draw.normal(width)
        weights = draw.normal(places, places).softmax(dim=-1)
        first, second = (
            torch.tanh(weights @ torch.tanh(weights @ x))[-1] @ readout for x in (a, b)
        )
        if (first - second).abs() > 0.05:
            return a, b, weights, readout, draw.size(0, places - 1)
