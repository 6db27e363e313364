"""What the exercises of recurrent networks share."""

import torch
from torch import Tensor


def real_of(lengths: list[int]) -> Tensor:
    """Say which words are no pads, for rows of these lengths: (B, T)."""
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
