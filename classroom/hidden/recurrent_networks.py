"""Inputs for the exercises of recurrent networks, drawn at random."""

import torch
from torch import Tensor

from classroom._draw import Draw, Inputs


def _real(draw: Draw, batch: int, places: int) -> Tensor:
    lengths = torch.tensor([draw.size(1, places) for _ in range(batch)])
    return torch.arange(places) < lengths[:, None]


def draw_last_state(draw: Draw) -> Inputs:
    batch, places, width, hidden = draw.size(), draw.size(), draw.size(), draw.size()
    x, real = draw.normal(batch, places, width), _real(draw, batch, places)
    return x, real, draw.normal(hidden, width), draw.normal(hidden, hidden), draw.normal(hidden)


def draw_additive_context(draw: Draw) -> Inputs:
    batch, places = draw.size(), draw.size()
    query, memory, hidden = draw.size(), draw.size(), draw.size()
    return (
        draw.normal(batch, query),
        draw.normal(batch, places, memory),
        _real(draw, batch, places),
        draw.normal(hidden, query),
        draw.normal(hidden, memory),
        draw.normal(hidden, size=draw.scale()),
    )


def draw_states_of_batches(draw: Draw) -> Inputs:
    count, batch, places, width = (draw.size() for _ in range(4))
    hidden = draw.size()
    x = draw.normal(count, batch, places, width)
    return x, draw.normal(hidden, width), draw.normal(hidden, hidden)


def draw_alignment(draw: Draw) -> Inputs:
    batch, length, places = draw.size(), draw.size(), draw.size()
    energies = draw.normal(batch, length, places, size=draw.scale())
    return energies, _real(draw, batch, places)
