"""Draw random inputs from all that the statement of an exercise allows."""

from typing import Any, TypeVar

import torch
from torch import Tensor

Inputs = tuple[Any, ...]
_Choice = TypeVar("_Choice")


class Draw:
    """A source of random sizes, numbers and dtypes, the same for the same seed.

    Args:
        seed: an integer of at most 64 bits.
    """

    def __init__(self, seed: int):
        self.random = torch.Generator().manual_seed(seed)
        self.dtype = self.choice(torch.float32, torch.float64, torch.float64)

    def size(self, low: int = 1, high: int = 6) -> int:
        """Draw a size from `low` to `high`, both included."""
        return int(torch.randint(low, high + 1, (), generator=self.random))

    def choice(self, *choices: _Choice) -> _Choice:
        """Draw one of the choices."""
        return choices[self.size(0, len(choices) - 1)]

    def normal(self, *shape: int, size: float = 1.0, shift: float = 0.0) -> Tensor:
        """Draw normal numbers in this object's dtype."""
        numbers = torch.randn(shape, generator=self.random, dtype=torch.float64)
        return (shift + size * numbers).to(self.dtype)

    def mask(self, *shape: int, probability: float = 0.6) -> Tensor:
        """Draw a mask that is True with this probability."""
        return torch.rand(shape, generator=self.random) < probability

    def scale(self) -> float:
        """Draw a scale for scores; large ones only in float64, which can represent the result."""
        return self.choice(1, 1, 2, 30, 1000) if self.dtype == torch.float64 else self.choice(1, 2)
