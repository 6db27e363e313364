"""Inputs for the exercises of a GPT of your own, drawn at random."""

import torch
from torch import Tensor

from classroom._draw import Draw, Inputs


def draw_answer_loss(draw: Draw) -> Inputs:
    count, length, vocab = draw.size(), draw.size(3, 8), draw.size(2)
    logits = draw.normal(count, length, vocab, size=draw.scale())
    ids = torch.randint(vocab, (count, length), generator=draw.random)
    starts = [draw.size(1, length - 1) for _ in range(count)]
    ends = [draw.size(start + 1, length) for start in starts]
    return logits, ids, torch.tensor(starts), torch.tensor(ends)


def _logs(draw: Draw, lengths: list[int]) -> Tensor:
    logs = -draw.normal(len(lengths), max(lengths), size=2.0).abs()
    places = torch.arange(max(lengths))
    return logs.masked_fill(places >= torch.tensor(lengths)[:, None], 0.0)


def draw_dpo_loss(draw: Draw) -> Inputs:
    count = draw.size()
    chosen, rejected = ([draw.size() for _ in range(count)] for _ in range(2))
    logs = [_logs(draw, lengths) for lengths in (chosen, rejected, chosen, rejected)]
    return (*logs, draw.choice(0.05, 0.1, 0.5, 1.5, 3.0))


def draw_swap_change(draw: Draw) -> Inputs:
    e, d = draw.size(), draw.size()
    changes = []
    for _ in range(2):
        rank = draw.size()
        alpha = draw.choice(0.5, 1.0, 4.0, 16.0, 3.0)
        down, up = draw.normal(rank, d), draw.normal(e, rank)
        changes.append({"down": down, "up": up, "alpha": alpha})
    return draw.normal(e, d), *changes
