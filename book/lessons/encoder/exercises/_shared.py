"""What the exercises of encoder share."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Draw


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


def draw_batch(draw: Draw, least: int) -> tuple[Tensor, Tensor]:
    """Sentences of unequal length whose pads are long vectors."""
    b, d = draw.size(), draw.size()
    lengths = torch.tensor([draw.size(least, 6) for _ in range(b)])
    real = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
    if draw.choice(True, False):
        real = real.flip(1)
    x = draw.normal(*real.shape, d)
    return torch.where(real[..., None], x, 5 * x), real
