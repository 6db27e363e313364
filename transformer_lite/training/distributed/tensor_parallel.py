"""Tensor parallelism: each worker computes some heads of an attention, and they add their parts.

The projections to queries, keys and values are divided by their outputs, so a worker has whole
    heads and needs nothing from the others. The projection after the heads is divided by its
    inputs: each worker has a part of every sum, and one all-reduce adds them.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn

from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.positions import PositionScheme
from transformer_lite.training.distributed.workers import Workers


class _Copied(torch.autograd.Function):
    """Identity forward; backward, the sum over the workers, which all used the same numbers."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, workers: Workers) -> Tensor:
        ctx.workers = workers
        return x

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return _summed(gradients[0], ctx.workers), None


class _Added(torch.autograd.Function):
    """Sum over the workers forward; identity backward, as each term has the gradient of the sum."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, workers: Workers) -> Tensor:
        return _summed(x, workers)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return gradients[0], None


def _copied(x: Tensor, workers: Workers) -> Tensor:
    return _Copied.apply(x, workers)  # type: ignore[no-untyped-call]


def _added(x: Tensor, workers: Workers) -> Tensor:
    return _Added.apply(x, workers)  # type: ignore[no-untyped-call]


def _summed(x: Tensor, workers: Workers) -> Tensor:
    total = x.contiguous().clone()
    dist.all_reduce(total, group=workers.group)
    return total


class ColumnParallel(nn.Module):
    """This worker's part of a linear layer, cut by its outputs: rows of W, entries of b.

    Its backward pass sums the gradient of x over the workers.

    Args:
        linear: the same on all workers.
        workers: their number has to divide the outputs.

    Raises:
        ValueError: the number of workers does not divide the outputs.

    Reference: Shoeybi et al. 2019, section 3.

    >>> ColumnParallel(nn.Linear(4, 6), Workers.current())(torch.zeros(2, 4)).shape
    torch.Size([2, 6])
    """

    def __init__(self, linear: nn.Linear, workers: Workers) -> None:
        super().__init__()
        mine = _part("out_features", linear.out_features, workers)
        self.weight = nn.Parameter(linear.weight.detach()[mine].clone())
        self.bias = None if linear.bias is None else nn.Parameter(linear.bias.detach()[mine])
        self.workers = workers

    def forward(self, x: Tensor) -> Tensor:
        """Return this worker's part of the outputs, shape (..., E/N), for x of shape (..., D)."""
        return F.linear(_copied(x, self.workers), self.weight, self.bias)


class RowParallel(nn.Module):
    """This worker's part of a linear layer, cut by its inputs: one exchange adds the parts of all.

    Args:
        linear: the same on all workers.
        workers: their number has to divide the inputs.

    Raises:
        ValueError: the number of workers does not divide the inputs.

    Reference: Shoeybi et al. 2019, section 3.
    """

    def __init__(self, linear: nn.Linear, workers: Workers) -> None:
        super().__init__()
        mine = _part("in_features", linear.in_features, workers)
        self.weight = nn.Parameter(linear.weight.detach()[:, mine].clone())
        self.bias = None if linear.bias is None else nn.Parameter(linear.bias.detach().clone())
        self.workers = workers

    def forward(self, x: Tensor) -> Tensor:
        """Return all outputs, shape (..., E), for this worker's inputs of shape (..., D/N)."""
        total = _added(F.linear(x, self.weight), self.workers)
        return total if self.bias is None else total + self.bias  # once, and not once a worker


def parallel_attention(attention: MultiHeadAttention, workers: Workers) -> MultiHeadAttention:
    """Return this worker's heads of an attention; all workers together give what it gives.

    Args:
        attention: the same on all workers; it stays as it is.
        workers: their number has to divide the heads.

    Returns:
        A module that is called alike on all workers, with the same tokens, and returns the same
        on all: the output of `attention`. Dropout would need a generator that all share for the
        sum and one each for their heads: train this one without.

    Raises:
        TypeError: `attention` is of another class, or its positions add to the scores.
        ValueError: the number of workers does not divide the heads.

    Reference: Shoeybi et al. 2019, section 3.

    >>> heads = MultiHeadAttention(d_model=8, num_heads=2)
    >>> parallel_attention(heads, Workers.current())(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """
    if type(attention) is not MultiHeadAttention:
        raise TypeError(f"attention must be a MultiHeadAttention, got {type(attention).__name__}")
    if type(attention.positions).bias is not PositionScheme.bias:
        raise TypeError(
            "attention must have positions that add nothing to the scores of a head, "
            f"got {type(attention.positions).__name__}"
        )
    heads = _part("num_heads", attention.num_heads, workers)
    part = copy.deepcopy(attention)
    for name in ("q_proj", "k_proj", "v_proj"):
        setattr(part, name, ColumnParallel(getattr(attention, name), workers))
    part.out_proj = RowParallel(attention.out_proj, workers)  # type: ignore[assignment]
    part.num_heads = heads.stop - heads.start
    return part


def _part(name: str, size: int, workers: Workers) -> slice:
    """Return which of `size` things are this worker's."""
    if size % workers.world_size:
        raise ValueError(
            f"the number of workers must divide {name}, got {workers.world_size} and {size}"
        )
    each = size // workers.world_size
    return slice(workers.rank * each, (workers.rank + 1) * each)
