"""What the exercises of fast generation share."""

from torch import Tensor


def first_above(probabilities: Tensor, v: float) -> int:
    """Return the first token whose cumulative probability is more than v; the last if none is."""
    above = probabilities.cumsum(dim=0) > v
    return int(above.int().argmax()) if above.any() else len(probabilities) - 1
