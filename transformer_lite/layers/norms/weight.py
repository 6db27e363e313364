"""Weight normalization: split the weights of a layer into directions and lengths."""

from __future__ import annotations

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite._checks import check_same, check_shape, check_tensor


def weight_norm(
    direction: Float[Tensor, "M D"], magnitude: Float[Tensor, " M"]
) -> Float[Tensor, "M D"]:
    """Give every row of a weight matrix the length asked for: w = g · v / ‖v‖.

    Args:
        direction: v, one row for each of M outputs, shape (M, D). Its lengths do not matter,
            but a row of zeros has no direction and gives NaN.
        magnitude: g, the length of every row, shape (M,).

    Returns:
        Tensor of shape (M, D).

    Raises:
        TypeError: an input is no float tensor, or dtypes or devices differ.
        ValueError: `direction` does not have 2 axes, or `magnitude` not one number a row.

    Reference: Salimans and Kingma 2016, equation 2.

    >>> import torch
    >>> weight_norm(torch.tensor([[3.0, 4.0]]), torch.tensor([10.0]))
    tensor([[6., 8.]])
    """
    check_shape("direction", direction, "M", "D")
    check_shape("magnitude", magnitude, len(direction))
    check_same("direction and magnitude", direction=direction, magnitude=magnitude)
    return magnitude[:, None] * direction / direction.norm(dim=1, keepdim=True)


class WeightNormLinear(nn.Module):
    """A linear layer whose weights are learned as `direction` and `magnitude`.

    y = x Wᵀ + b, with the rows w = g · v / ‖v‖ of W

    Args:
        linear: the layer to start from. It is copied: both compute the same until one learns.

    Raises:
        TypeError: `linear` is not an nn.Linear.

    Reference: Salimans and Kingma 2016, section 2. Differs from the paper: g and v start from the
    weights of a given layer, as in PyTorch, and not from statistics of a first batch.

    >>> WeightNormLinear(nn.Linear(3, 2)).magnitude.shape
    torch.Size([2])
    """

    bias: Tensor | None

    def __init__(self, linear: nn.Linear):
        super().__init__()
        if not isinstance(linear, nn.Linear):
            raise TypeError(f"linear must be an nn.Linear, got {type(linear).__name__}")
        self.direction = nn.Parameter(linear.weight.clone())
        self.magnitude = nn.Parameter(linear.weight.norm(dim=1))
        bias = None if linear.bias is None else nn.Parameter(linear.bias.clone())
        self.register_parameter("bias", bias)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B M"]:
        """Transform every token of `x`, shape (..., D), to shape (..., M).

        Raises:
            TypeError: `x` is no float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not D wide.
        """
        check_tensor("x", x)
        check_same("x and direction", x=x, direction=self.direction)
        d_in = self.direction.shape[1]
        if x.shape[-1] != d_in:
            raise ValueError(f"x must have shape (..., {d_in}), got {tuple(x.shape)}")
        return F.linear(x, weight_norm(self.direction, self.magnitude), self.bias)
