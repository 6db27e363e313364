"""Inputs for the exercises of output and loss, drawn at random."""

import torch
from torch import Tensor

from classroom._draw import Draw, Inputs


def _with_a_word(ids: Tensor, pad: int) -> Tensor:
    """The same ids with no pad at the last place of the first row."""
    ids[0, -1] = (pad + 1) % 2 if pad in (0, 1) else 0
    return ids


def _ids(draw: Draw, batch: int, length: int, vocab: int) -> tuple[Tensor, int]:
    pad = draw.choice(0, 0, vocab - 1)
    ids = [[draw.choice(pad, *range(vocab)) for _ in range(length)] for _ in range(batch)]
    return _with_a_word(torch.tensor(ids), pad), pad


def draw_mean_loss(draw: Draw) -> Inputs:
    batch, length, vocab = draw.size(), draw.size(), draw.size(2)
    labels, pad = _ids(draw, batch, length, vocab)
    return draw.normal(batch, length, vocab, size=draw.scale()), labels, pad


def draw_logit_gradient(draw: Draw) -> Inputs:
    count, vocab = draw.size(), draw.size()
    labels = torch.tensor([draw.size(0, vocab - 1) for _ in range(count)])
    share = draw.choice(0.0, 0.1, 0.3, 0.6)
    return draw.normal(count, vocab, size=draw.scale()), labels, share


def draw_next_token_loss(draw: Draw) -> Inputs:
    batch, length, vocab = draw.size(), draw.size(2), draw.size(2)
    ids, pad = _ids(draw, batch, length, vocab)
    return draw.normal(batch, length, vocab, size=draw.scale()), ids, pad


def draw_counted_places(draw: Draw) -> Inputs:
    batch, places, vocab = draw.size(), draw.size(2), draw.size(2)
    end = draw.choice(0, vocab - 1)
    words = [word for word in range(vocab) if word != end]
    lengths = [draw.size(0, places) for _ in range(batch)]
    rows = [
        [draw.choice(*words) if place < length else end for place in range(places)]
        for length in lengths
    ]
    return torch.tensor(rows), end
