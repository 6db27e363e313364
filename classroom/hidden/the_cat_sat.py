"""Inputs for the exercises of the cat sat, drawn at random."""

import torch

from classroom._draw import Draw, Inputs


def draw_attend(draw: Draw) -> Inputs:
    t, s, k, v = draw.size(), draw.size(), draw.size(), draw.size()
    return draw.normal(t, k, size=draw.scale()), draw.normal(s, k), draw.normal(s, v)


def draw_weights_of_words(draw: Draw) -> Inputs:
    t, s, k = draw.size(), draw.size(), draw.size()
    return draw.normal(t, k, size=draw.scale()), draw.normal(s, k)


def draw_impossible_entries(draw: Draw) -> Inputs:
    s, v = draw.size(), draw.size()
    values, output = draw.normal(s, v), draw.normal(v)
    return values, torch.where(draw.mask(v, share=0.3), values[draw.size(0, s - 1)], output)
