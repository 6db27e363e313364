"""What the exercises of training on many workers share."""

import torch


def seeded(seed: int) -> torch.Generator:
    """Return a generator of its own with this seed."""
    return torch.Generator(device="cpu").manual_seed(seed)
