"""The state of the random number generators, so that a training run can continue."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def state_of_generators(device: torch.device) -> dict[str, Tensor]:
    """Return the state of PyTorch's generators on the CPU and on the device that trains.

    >>> before = state_of_generators(torch.device("cpu"))
    >>> first = torch.rand(1)
    >>> load_generators(before, torch.device("cpu"))
    >>> bool(first == torch.rand(1))
    True
    """
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    if device.type == "mps":
        states["mps"] = torch.mps.get_rng_state()
    return states


def load_generators(states: Mapping[str, Tensor], device: torch.device) -> None:
    """Restore PyTorch's generators from :func:`state_of_generators`.

    The generators of other devices do not change.
    """
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)
    if device.type == "mps" and "mps" in states:
        torch.mps.set_rng_state(states["mps"])
