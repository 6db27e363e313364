"""Share code between the exercises on feed-forward layers."""

from collections.abc import Callable

import torch
from torch import Tensor

SENTENCE = torch.tensor([[2.0, -1], [-1, 2], [-2, -1]])


WEIGHTS = {
    "w1": torch.tensor([[1.0, 0, -1, 1], [0, 1, 1, 1]]),
    "b1": torch.tensor([-1.0, 0, 1, 0]),
    "w2": torch.tensor([[1.0, 1], [0, 1], [-0.5, 0.5], [1, 0.5]]),
    "b2": torch.tensor([-1.0, 0.5]),
}


def feed_forward(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    return torch.relu(x @ w1 + b1) @ w2 + b2


def random_weights(
    draw: Callable[..., Tensor], width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> dict[str, Tensor]:
    shapes = {"w1": (width, hidden), "b1": (hidden,), "w2": (hidden, width), "b2": (width,)}
    return {name: draw(*shape, dtype=dtype) for name, shape in shapes.items()}
