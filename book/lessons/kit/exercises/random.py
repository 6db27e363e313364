"""Random numbers for cases, the same on every machine and in every run."""

import zlib
from collections.abc import Callable

import torch
from torch import Tensor


def normal_numbers(exercise: str) -> Callable[..., Tensor]:
    """Return a function that draws normal numbers of a given shape and dtype, like torch.randn.

    Each exercise has its own generator. So no check depends on the reader's seed or on another
    exercise, and none changes them.
    """
    generator = torch.Generator(device="cpu").manual_seed(zlib.crc32(exercise.encode()))

    def draw(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(shape, generator=generator, device="cpu").to(dtype)

    return draw
