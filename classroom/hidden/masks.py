"""Inputs for the exercises of masks, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_decoder_mask(draw: Draw) -> Inputs:
    pad = draw.choice(0, 0, 7)
    ids = torch.tensor([draw.choice(pad, 1, 2, 3, 0, 7) for _ in range(draw.size())])
    return ids, pad


def draw_masked_weights(draw: Draw) -> Inputs:
    t, s = draw.size(), draw.size()
    scores = draw.normal(t, s, size=draw.scale())
    if draw.dtype == torch.float64:
        scores = scores + draw.choice(0, 0, 20000, -20000)
    return scores, draw.mask(t, s)


def draw_batch_mask(draw: Draw) -> Inputs:
    pad, batch, length = draw.choice(0, 0, 7), draw.size(), draw.size()
    ids = [[draw.choice(pad, 1, 2, 3, 0, 7) for _ in range(length)] for _ in range(batch)]
    return torch.tensor(ids), pad
