"""What the exercises on gradients share: points, a linear map, and the slope of its error."""

import torch
from torch import Tensor


def squared_error_slope(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """Return the gradient of the mean of (x w − y)² with respect to w."""
    return 2 * x.mT @ (x @ w - y) / len(y)


def three_points() -> dict[str, Tensor]:
    """Return three points on y = 2x, and the weight 0."""
    return {
        "x": torch.tensor([[1.0], [2], [3]]),
        "y": torch.tensor([2.0, 4, 6]),
        "w": torch.tensor([0.0]),
    }
