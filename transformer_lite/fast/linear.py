"""The linear layer: the product of tokens and a matrix, in the order that is faster."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import fits
from transformer_lite.fast.exact import is_plain

FEW = 64


def linear(
    x: Float[Tensor, "*B D"], weight: Float[Tensor, "E D"], bias: Float[Tensor, " E"] | None
) -> Float[Tensor, "*B E"]:
    """Return x Wᵀ + b, in another order of factors where there are few tokens.

    A matrix library gives each core some rows of the left factor. In x Wᵀ, with few tokens as in
    decoding, there are few rows to give. In (W xᵀ)ᵀ, the same product, there are always enough.

    Args:
        x: tokens, shape (..., D).
        weight: W, shape (E, D).
        bias: b, shape (E,), or None.

    Returns:
        Tensor of shape (..., E); the same in either order, up to rounding.
    """
    # A compiled or exported model has the same form for every number of tokens.
    if torch.compiler.is_compiling() or torch.is_grad_enabled():
        return F.linear(x, weight, bias)
    if not (x.is_cpu and is_plain(weight) and fits(x, weight)):  # what is wrong, PyTorch reports
        return F.linear(x, weight, bias)
    tokens = x.numel() // weight.shape[1]
    if not 1 < tokens <= FEW:
        return F.linear(x, weight, bias)
    columns = x.reshape(tokens, weight.shape[1]).t()
    product = weight @ columns if bias is None else torch.addmm(bias[:, None], weight, columns)
    # The kernels that follow want the numbers of a token side by side.
    return product.t().contiguous().view(*x.shape[:-1], len(weight))
