"""Share code between the exercises on recurrent networks."""

import torch
from torch import Tensor

from lessons.kit.exercises import Draw


def real_of(lengths: list[int]) -> Tensor:
    """Say which words are not padding, for rows of these lengths: (B, T)."""
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def draw_lengths_mask(draw: Draw, batch: int, places: int) -> Tensor:
    lengths = torch.tensor([draw.size(1, places) for _ in range(batch)])
    return torch.arange(places) < lengths[:, None]
