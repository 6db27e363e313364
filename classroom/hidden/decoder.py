"""Inputs for the exercises of decoder, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_cross_attend(draw: Draw) -> Inputs:
    b, t, s, d, k = (draw.size() for _ in range(5))
    real = draw.mask(b, s)
    real[:, draw.size(0, s - 1)] = True
    weights = draw.normal(d, k), draw.normal(d, k), draw.normal(d, k)
    return draw.normal(b, t, d), draw.normal(b, s, d), real, *weights


def draw_decoder_inputs(draw: Draw) -> Inputs:
    b, t, bos = draw.size(), draw.size(), draw.choice(0, 1, 1, 4, 9)
    return torch.tensor([[draw.size(0, 9) for _ in range(t)] for _ in range(b)]), bos


def draw_reach(draw: Draw) -> Inputs:
    layers, size, share = draw.size(1, 4), draw.size(), draw.choice(0.1, 0.2, 0.5)
    return (draw.mask(layers, size, size, share=share),)
