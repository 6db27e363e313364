"""The fastest device, and seeds that make a run repeatable."""

import torch

from transformer_lite.checks import check_size


def best_device() -> torch.device:
    """Return the fastest available device: CUDA, else Apple's MPS, else the CPU.

    >>> best_device().type in ("cuda", "mps", "cpu")
    True
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def seed_everything(seed: int) -> torch.Generator:
    """Seed PyTorch on every device and return a generator with the same seed.

    The generator draws on the CPU, so that a seed gives the same numbers on every machine.
    Functions that draw from it, such as `sample`, move the numbers to the device that needs them.

    Args:
        seed: a whole number, at least 0.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is negative.

    >>> a = torch.rand(1, generator=seed_everything(6))
    >>> bool(a == torch.rand(1, generator=seed_everything(6)))
    True
    """
    check_size("seed", seed, minimum=0)
    torch.manual_seed(seed)
    return torch.Generator().manual_seed(seed)
