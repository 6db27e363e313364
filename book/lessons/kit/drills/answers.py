"""What the right answers of the drills are computed from.

In each chapter, `drills/answers.py` has a function for each drill, named like its script. It gets a
problem and returns the right answer, computed by `transformer_lite`.
"""

from typing import Any

import torch
from torch import Tensor

#: A problem as the drill's `draw` returns it.
Problem = dict[str, Any]


def doubles(numbers: list[Any]) -> Tensor:
    """Return numbers, or rows of numbers, as a float64 tensor."""
    return torch.tensor(numbers, dtype=torch.float64)
