"""Inputs for the exercises of looking inside, drawn at random."""

import torch

from transformer_lite.classroom._draw import Draw, Inputs


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


def draw_segments(draw: Draw) -> Inputs:
    batch, places, width, vocab = draw.size(), draw.size(), draw.size(3, 8), draw.size()
    size = draw.choice(1, 1, 1e-4) if draw.dtype == torch.float64 else 1
    ids = torch.tensor([[draw.size(0, vocab - 1) for _ in range(places)] for _ in range(batch)])
    tables = [draw.normal(rows, width, size=size) for rows in (vocab, places + draw.size(0, 3), 2)]
    return (
        ids,
        draw.mask(batch, places).long(),
        *tables,
        draw.normal(width, shift=1),
        draw.normal(width),
    )


def draw_same_word(draw: Draw) -> Inputs:
    count, width = draw.size(3, 8), draw.size()
    same = torch.arange(count) < draw.size(2, count - 1)
    same = same[torch.randperm(count, generator=draw.random)]
    x = draw.normal(count, width, shift=draw.choice(0, 0, 1, 3))
    return torch.where(same[:, None], x, 5 * x), same
