"""Dropout: set random numbers to 0 while training."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_number

LEVELS = 2**16


def dropout(x: Float[Tensor, "*B"], p: float, training: bool) -> Float[Tensor, "*B"]:
    """Set each number to 0 with probability p and divide the others by 1 − p.

    The expected value of every number stays what it was. Outside training nothing happens.

    On the CPU, drawing the random numbers is what costs. PyTorch draws one for every entry of
    `x`; here one 64-bit number decides on four entries, 16 bits each. So p is rounded to a
    multiple of 1/65536.

    Args:
        x: any shape.
        p: the probability to drop, 0 ≤ p < 1.
        training: whether to drop at all.

    Returns:
        Tensor of the shape of `x`.

    Raises:
        TypeError: `p` is not a number.
        ValueError: `p` is out of range.

    Reference: Srivastava et al. 2014, in the inverted form, which leaves evaluation untouched.

    >>> dropout(torch.ones(2), p=0.5, training=False)
    tensor([1., 1.])
    """
    check_number("p", p, high=1.0)
    if not training:
        return x
    dropped = min(round(p * LEVELS), LEVELS - 1)
    if dropped == 0:
        return x
    if x.device.type != "cpu" or torch.compiler.is_compiling():
        return F.dropout(x, p)
    # Not `random_`, which is a little faster: torch.func.vmap cannot draw in place for every row.
    words = torch.randint(-(2**63), 2**63 - 1, (-(-x.numel() // 4),))
    level = words.view(torch.int16)[: x.numel()].view(x.shape)
    kept = level >= dropped - LEVELS // 2
    return torch.where(kept, x * (LEVELS / (LEVELS - dropped)), 0.0)
