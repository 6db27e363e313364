"""Share code between the exercises on position schemes."""

import torch
from torch import Tensor

TOKENS = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])


def offsets(tokens: Tensor, limit: int | None = None) -> Tensor:
    """Return key position minus query position, clipped to ± limit: (T, T)."""
    place = torch.arange(len(tokens))
    offset = place[None, :] - place[:, None]
    return offset if limit is None else offset.clamp(-limit, limit)
