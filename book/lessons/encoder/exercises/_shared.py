"""What the exercises of encoder share."""

from collections.abc import Callable

import torch
from torch import Tensor


def padded(
    draw: Callable[..., Tensor],
    lengths: list[int],
    width: int,
    size: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict[str, Tensor]:
    """Return a batch whose pads are far longer vectors than its tokens, and what is real."""
    length = max(lengths)
    real = torch.arange(length)[None, :] < torch.tensor(lengths)[:, None]
    x = size * draw(len(lengths), length, width, dtype=dtype)
    return {"x": torch.where(real[..., None], x, 4 * x), "real": real}
