"""What drawing for one worker must leave alone: the generator that all of the process shares."""

from typing import Any

import torch
from torch import Tensor

from transformer_lite.exercises._exercise import Property
from transformer_lite.exercises._outcome import Function

# Kept from the moment this file is loaded; see _outcome.
_get, _set, _equal, _tensor = torch.get_rng_state, torch.set_rng_state, torch.equal, torch.tensor


def _torchs_own_generator(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Say whether torch's own generator is the same after a call; then put it back."""
    before = _get()
    try:
        function(*inputs.values())
        return {"unchanged": _tensor(_equal(_get(), before))}
    finally:
        _set(before)


#: The function draws from generators of its own, not from the one behind torch.manual_seed.
OWN_GENERATOR = Property(
    "generator",
    _torchs_own_generator,
    "The numbers are right, but torch's own generator has changed: dropout, and all else that "
    "draws from it, would go on from here. Draw from a torch.Generator of your own.",
)


def seeded(seed: int) -> torch.Generator:
    """Return a generator of its own with this seed."""
    return torch.Generator(device="cpu").manual_seed(seed)
