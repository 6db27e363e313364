"""Weight normalization: split the weights of a layer into directions and lengths."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_same, check_shape


def weight_norm(
    direction: Float[Tensor, "M D"], magnitude: Float[Tensor, " M"]
) -> Float[Tensor, "M D"]:
    """Return a weight matrix whose rows have the given lengths: w = g · v / ‖v‖.

    Args:
        direction: v, one row for each of M outputs, shape (M, D). Its lengths do not matter,
            but a row of zeros has no direction and gives NaN.
        magnitude: g, the length of every row, shape (M,).

    Returns:
        Tensor of shape (M, D).

    Raises:
        TypeError: an input is not a float tensor, or dtypes or devices differ.
        ValueError: `direction` does not have 2 axes, or `magnitude` not one number per row.

    Reference: Salimans and Kingma 2016, equation 2.

    >>> import torch
    >>> weight_norm(torch.tensor([[3.0, 4.0]]), torch.tensor([10.0]))
    tensor([[6., 8.]])
    """
    check_shape("direction", direction, "M", "D")
    check_shape("magnitude", magnitude, len(direction))
    check_same("direction and magnitude", direction=direction, magnitude=magnitude)
    return magnitude[:, None] * direction / direction.norm(dim=1, keepdim=True)
