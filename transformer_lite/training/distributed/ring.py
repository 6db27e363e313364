"""The sum over all workers by a ring, written out: what gloo and NCCL do inside ``all_reduce``."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import Tensor

from transformer_lite.checks import check_tensor
from transformer_lite.training.distributed.workers import Workers


def ring_all_reduce(tensor: Tensor, workers: Workers) -> tuple[Tensor, int]:
    """Sum a tensor over all workers; each sends to the next one only, and counts its bytes.

    The numbers are cut into N parts. In round i worker r passes on part r − i, and adds what it
    gets from the one before it to its own. After N − 1 rounds each part is complete on one worker;
    N − 1 more rounds pass the complete parts around.

    Args:
        tensor: this worker's numbers, of the same shape on all; it stays as it is.
        workers: all of them have to call it.

    Returns:
        The sum, of the shape of `tensor`, and how many bytes this worker has sent.

    Raises:
        TypeError: `tensor` is not a float tensor.

    Reference: Patarasuk and Yuan 2009.

    >>> ring_all_reduce(torch.ones(3), Workers.current())
    (tensor([1., 1., 1.]), 0)
    """
    check_tensor("tensor", tensor, min_rank=0)
    count, sent = workers.world_size, 0
    numbers = tensor.detach().reshape(-1)
    padded = torch.nn.functional.pad(numbers, (0, -len(numbers) % count))
    parts = list(padded.clone().chunk(count)) if len(numbers) else []
    for step in range(2 * (count - 1) if parts else 0):
        out, into = (workers.rank - step) % count, (workers.rank - step - 1) % count
        came = torch.empty_like(parts[into])
        _pass_on(parts[out], came, workers)
        sent += parts[out].nbytes
        parts[into] = parts[into] + came if step < count - 1 else came
    total = torch.cat(parts)[: len(numbers)] if parts else numbers.clone()
    return total.reshape(tensor.shape), sent


def _pass_on(out: Tensor, into: Tensor, workers: Workers) -> None:
    """Send to the next worker and receive from the one before, both at once."""
    following, before = workers.global_rank(workers.rank + 1), workers.global_rank(workers.rank - 1)
    waits = [
        dist.isend(out.contiguous(), following, group=workers.group),
        dist.irecv(into, before, group=workers.group),
    ]
    for wait in waits:
        if wait is not None:
            wait.wait()
