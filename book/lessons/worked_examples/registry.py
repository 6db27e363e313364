"""Which function computes which entry, and how the data's lists become tensors and back."""

from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import Tensor

Computation = TypeVar("Computation", bound=Callable[..., object])

_COMPUTATIONS: dict[str, Callable[..., object]] = {}


def computes(*ids: str) -> Callable[[Computation], Computation]:
    """Register a function as the computation of one or more entries.

    The function receives the entry's inputs as keyword arguments, lists of numbers as tensors.

    Args:
        ids: the entries' ids.

    Raises:
        ValueError: one of the ids has a computation already.
    """

    def register(function: Computation) -> Computation:
        for entry_id in ids:
            if entry_id in _COMPUTATIONS:
                raise ValueError(f"an entry must have one computation, got two for {entry_id!r}")
            _COMPUTATIONS[entry_id] = function
        return function

    return register


def computed_ids() -> frozenset[str]:
    """Return the ids of all entries that have a computation."""
    return frozenset(_COMPUTATIONS)


def run(entry_id: str, inputs: dict[str, Any]) -> object:
    """Compute one entry and return plain numbers, lists and dicts."""
    tensors = {name: _to_tensor(value) for name, value in inputs.items()}
    return _to_plain(_COMPUTATIONS[entry_id](**tensors))


def _to_tensor(value: object) -> object:
    """Lists of whole numbers become int64, lists with a decimal point float64.

    Lists of words and rows of different lengths stay lists.
    """
    if not isinstance(value, list) or not _is_table(value):
        return value
    if torch.tensor(value).is_floating_point():
        return torch.tensor(value, dtype=torch.float64)  # not by way of float32, which rounds
    return torch.tensor(value)


def _is_table(value: list[Any]) -> bool:
    if any(isinstance(item, str) for item in value):
        return False
    return len({len(item) if isinstance(item, list) else None for item in value}) <= 1


def _to_plain(value: object) -> object:
    if isinstance(value, Tensor):
        return (value.int() if value.dtype == torch.bool else value).tolist()
    if isinstance(value, dict):
        return {key: _to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_to_plain(item) for item in value]
    return value
