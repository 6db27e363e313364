"""The costs of training at scale: bytes, seconds, memory, operations.

Plain formulas. The tests compare them with the bytes that PyTorch really sends and stores.
"""

from __future__ import annotations

from typing import NamedTuple

from transformer_lite.checks import check_choice, check_number, check_size

__all__ = [
    "Memory",
    "all_reduce_bytes",
    "memory_by_sharding",
    "pipeline_bubble",
    "ring_all_reduce_seconds",
    "training_operations",
]


class Memory(NamedTuple):
    """The bytes that one worker stores for training, without activations."""

    weights: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        """The sum of the three."""
        return sum(self)


def all_reduce_bytes(parameters: float, workers: int, bytes_each: float = 4) -> float:
    """Return the bytes that each worker sends in a ring all-reduce: 2 (N − 1)/N · P · b.

    The numbers are cut into N parts. In N − 1 rounds the parts travel around the ring and are
    added up, in N − 1 more the sums travel. For many workers that is twice the gradient, however
    many they are.

    Args:
        parameters: P, how many numbers.
        workers: N, the number of workers.
        bytes_each: b, the bytes of a number.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or out of range.

    Reference: Patarasuk and Yuan 2009; :func:`ring_all_reduce` runs it and counts.

    >>> [all_reduce_bytes(1e6, workers) for workers in (1, 2, 4)]
    [0.0, 4000000.0, 6000000.0]
    """
    check_number("parameters", parameters)
    check_size("workers", workers)
    check_number("bytes_each", bytes_each)
    return 2 * (workers - 1) / workers * parameters * bytes_each


def ring_all_reduce_seconds(
    num_bytes: float, workers: int, bytes_per_second: float, latency: float = 0.0
) -> float:
    """Return the seconds that a ring all-reduce takes: 2 (N − 1) · (latency + n / (N · bandwidth)).

    Args:
        num_bytes: n, the size of what is summed.
        workers: N, the number of workers.
        bytes_per_second: the bandwidth from each worker to the next, more than 0.
        latency: additional seconds for each of the 2 (N − 1) messages.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or out of range.

    >>> round(ring_all_reduce_seconds(4e9, workers=4, bytes_per_second=1e10), 6)
    0.6
    """
    check_number("num_bytes", num_bytes)
    check_size("workers", workers)
    check_positive("bytes_per_second", bytes_per_second)
    check_number("latency", latency)
    return 2 * (workers - 1) * (latency + num_bytes / workers / bytes_per_second)


def pipeline_bubble(stages: int, microbatches: int) -> float:
    """Return the share of its time that a pipeline stage waits: (p − 1) / (m + p − 1).

    Args:
        stages: p, the parts that the layers are cut into, one per worker.
        microbatches: m, the parts that a batch is cut into.

    Raises:
        TypeError, ValueError: an argument is not an int, or smaller than 1.

    Reference: Huang et al. 2019. Differs from Narayanan et al. 2021, who divide the waiting by the
    work, (p − 1)/m, and not by the whole time.

    >>> [round(pipeline_bubble(4, microbatches), 3) for microbatches in (1, 4, 32)]
    [0.75, 0.429, 0.086]
    """
    check_size("stages", stages)
    check_size("microbatches", microbatches)
    return (stages - 1) / (microbatches + stages - 1)


def memory_by_sharding(
    parameters: float,
    workers: int,
    sharding: str = "ddp",
    *,
    bytes_weight: float = 4,
    bytes_gradient: float = 4,
    bytes_optimizer: float = 8,
) -> Memory:
    """Return the bytes of weights, gradients and optimizer state on one worker.

    Each level cuts one more of the three into N parts: "ddp" none, "zero1" the optimizer, "zero2"
    the gradients too, "zero3" all. FSDP keeps what "zero3" says, and one whole layer at a time.

    Args:
        parameters: P, how many weights.
        workers: N, the number of workers.
        sharding: "ddp", "zero1", "zero2" or "zero3".
        bytes_weight, bytes_gradient: of one number.
        bytes_optimizer: of all that it keeps for one weight: 8 for Adam's two moments in float32,
            12 with a float32 copy of weights in bfloat16.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or out of range, or `sharding` is
            none of the four.

    Reference: Rajbhandari et al. 2020, figure 1.

    >>> [memory_by_sharding(1e6, 4, level).total for level in ("ddp", "zero1", "zero2", "zero3")]
    [16000000.0, 10000000.0, 7000000.0, 4000000.0]
    """
    check_number("parameters", parameters)
    check_size("workers", workers)
    levels = ("ddp", "zero1", "zero2", "zero3")
    check_choice("sharding", sharding, levels)
    check_number("bytes_weight", bytes_weight)
    check_number("bytes_gradient", bytes_gradient)
    check_number("bytes_optimizer", bytes_optimizer)
    level = levels.index(sharding)
    sizes = (bytes_weight, bytes_gradient, bytes_optimizer)
    cut = (level >= 3, level >= 2, level >= 1)
    parts = (s * parameters / (workers if c else 1) for s, c in zip(sizes, cut, strict=True))
    return Memory(*parts)


def training_operations(parameters: float, tokens: float) -> float:
    """Return the operations of a training run: C ≈ 6 · P · D, two forward and four backward.

    Args:
        parameters: P, without the embedding of the tokens, which multiplies nothing.
        tokens: D, how many are read in training.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or negative.

    Reference: Kaplan et al. 2020, section 2.1. The attention's scores are left out.

    >>> training_operations(70e9, 1.4e12)
    5.88e+23
    """
    check_number("parameters", parameters)
    check_number("tokens", tokens)
    return 6 * parameters * tokens


def check_positive(name: str, value: float) -> None:
    """Require a number greater than 0."""
    check_number(name, value)
    if value <= 0:
        raise ValueError(f"{name} must be greater than 0, got {value}")
