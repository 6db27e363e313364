"""Numbers for the hidden cases: random, and the same on every machine and every run."""

from collections.abc import Callable

import torch
from torch import Tensor


def normal_numbers(seed: int) -> Callable[..., Tensor]:
    """Return a function that draws normal numbers of a given shape and dtype, as torch.randn.

    It has a generator of its own, so no check depends on, or changes, the reader's seed.
    """
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(shape, generator=generator, device="cpu").to(dtype)

    return draw
