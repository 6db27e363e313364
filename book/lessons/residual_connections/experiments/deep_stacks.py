"""How well stacks of 20 and of 56 sub-layers fit 16 examples, with and without residuals.

Ten networks with data and weights of their own are trained by Adam on full batches, at one rate
from the first step on. In all of them a sub-layer keeps the mean square of its input before
training, so neither the numbers nor the gradients vanish or explode on average. "plain" has
neither residual connections nor norms. "plain, angles kept" is the same network from initial
weights with which every sub-layer is a rotation, so it changes no angle between two examples.

"curve" has the median error of the ten networks (the fifth smallest) every tenth step; always
answering the mean has an error of 1. "best" and "worst" are the least and the greatest error of
the ten networks at the end.
"""

import torch

from lessons.residual_connections.experiments.shared.stacks import training

GRID = {
    "steps": [200],
    "seed": [0, 1],
    "rate": [0.0003, 0.001, 0.003],
    "depth": [20, 56],
    "stack": ["plain", "plain, angles kept", "post-norm", "pre-norm"],
}
# Which plain networks of 56 layers get stuck is chaotic. At this point all ten networks learn.
AGAIN = {"steps": 200, "seed": 0, "rate": 0.001, "depth": 20, "stack": "pre-norm"}
TOLERANCE = {"curve": 0.05, "best": 0.02, "worst": 0.05}


def point(
    steps: int, seed: int, rate: float, depth: int, stack: str
) -> dict[str, float | list[float]]:
    """Train ten networks, and return how their errors fall."""
    errors = torch.stack(list(training(stack, depth, rate, steps, seed)))
    curve = errors[::10].median(dim=1).values
    return {
        "curve": [round(error, 4) for error in curve.tolist()],
        "best": errors[-1].min().item(),
        "worst": errors[-1].max().item(),
    }
