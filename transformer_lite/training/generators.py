"""The random numbers of a training: where their generators stand, so that a run can go on."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def state_of_generators(device: torch.device) -> dict[str, Tensor]:
    """Return where PyTorch's generators stand, of the CPU and of the device that trains.

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
    """Move PyTorch's generators to where :func:`state_of_generators` found them.

    A generator of a device that did not train then stays as it is.
    """
    torch.set_rng_state(states["cpu"])
    if device.type == "cuda" and "cuda" in states:
        torch.cuda.set_rng_state(states["cuda"], device)
    if device.type == "mps" and "mps" in states:
        torch.mps.set_rng_state(states["mps"])
