"""Inputs for the exercises of decoding, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_nucleus(draw: Draw) -> Inputs:
    numbers = draw.normal(draw.size(), draw.size(), size=draw.choice(0.5, 1, 3))
    return numbers.softmax(dim=-1), draw.choice(0.1, 0.35, 0.55, 0.8, 0.93, 0.999)


def draw_extend_beams(draw: Draw) -> Inputs:
    beams, words = draw.size(), draw.size()
    return -draw.normal(beams).abs(), draw.normal(beams, words).log_softmax(dim=-1)


def draw_greedy_batch(draw: Draw) -> Inputs:
    size = draw.size(4, 8)
    eos, pad = draw.choice((2, 0), (2, 0), (0, 3))
    starts = [
        draw.choice(*(i for i in range(size) if i not in (eos, pad))) for _ in range(draw.size())
    ]
    return draw.normal(size, size), torch.tensor(starts), eos, pad, draw.size(1, 9)


def draw_attend_to_cache(draw: Draw) -> Inputs:
    t = draw.size()
    s, d, v = t + draw.size(0, 4), draw.size(), draw.size()
    return draw.normal(t, d, size=draw.choice(1, 3)), draw.normal(s, d), draw.normal(s, v)
