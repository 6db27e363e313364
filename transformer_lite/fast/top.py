"""The largest numbers of each row, found without ordering the whole row."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, Integer
from torch import Tensor

CHUNK, MANY = 64, 2**15


class Top(NamedTuple):
    """The largest numbers of each row, the largest first, and where they are."""

    values: Float[Tensor, "*B M"]
    indices: Integer[Tensor, "*B M"]


def topk(x: Float[Tensor, "*B V"], k: int) -> Top:
    """Return the k largest numbers of each row, as ``x.topk(k)`` does.

    The k largest numbers are in the k chunks whose largest numbers are the largest. Finding the
    largest number of a chunk is a fast reduction, and what remains is short. With k = 1 this is
    ``x.max(dim=-1)``: of equal numbers it returns the first.

    Args:
        x: numbers such as logits, shape (..., V).
        k: how many to return, at most V.

    Returns:
        :class:`Top` with values and indices of shape (..., k).

    >>> topk(torch.tensor([3.0, 9.0, 5.0]), k=2).indices
    tensor([1, 2])
    """
    size = x.shape[-1]
    whole = size // CHUNK * CHUNK
    if not x.is_cpu or x.numel() < MANY or whole < 16 * k * CHUNK:
        return _topk(x, k)
    chunks = x[..., :whole].unflatten(-1, (-1, CHUNK))
    best = _topk(chunks.amax(dim=-1), k).indices[..., None]
    candidates = chunks.gather(-2, best.expand(*best.shape[:-1], CHUNK)).flatten(start_dim=-2)
    indices = (best * CHUNK + torch.arange(CHUNK)).flatten(start_dim=-2)
    if whole < size:  # the numbers after the last whole chunk
        rest = torch.arange(whole, size).expand(*x.shape[:-1], -1)
        candidates = torch.cat([candidates, x[..., whole:]], dim=-1)
        indices = torch.cat([indices, rest], dim=-1)
    values, among = _topk(candidates, k)
    return Top(values, indices.gather(-1, among))


def argmax(x: Float[Tensor, "*B V"]) -> Integer[Tensor, "*B"]:
    """Return the index of the largest number of each row, as ``x.argmax(dim=-1)`` does."""
    return topk(x, k=1).indices[..., 0]


def _topk(x: Tensor, k: int) -> Top:
    return Top(*(x.max(dim=-1, keepdim=True) if k == 1 else x.topk(k, dim=-1)))
