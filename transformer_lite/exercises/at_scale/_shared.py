"""What drawing for one worker had better leave alone: torch's own generator."""

from typing import Any

import torch
from torch import Tensor

from transformer_lite.exercises._exercise import Property
from transformer_lite.exercises._outcome import Function

# Kept from the moment this file is loaded; see _outcome.
_torchs_own, _rand = torch.default_generator, torch.rand


def _next_draw(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Draw from torch's own generator, seeded with 0, after a call; then put it back."""
    before = _torchs_own.get_state()
    try:
        _torchs_own.manual_seed(0)  # that of the CPU alone
        function(*inputs.values())
        return {"torch's own generator": _rand(())}
    finally:
        _torchs_own.set_state(before)


#: Whether the function draws from generators of its own. What draws from torch's own one or seeds
#: it changes the dropout of all that follows.
OWN_GENERATOR = Property("next draw", _next_draw)


def seeded(seed: int) -> torch.Generator:
    """Return a generator of its own with this seed."""
    return torch.Generator(device="cpu").manual_seed(seed)
