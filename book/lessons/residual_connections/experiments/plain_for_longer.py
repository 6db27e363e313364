"""Whether plain stacks of 56 sub-layers fit their examples with more steps.

The networks, weights and results are those of "deep_stacks".
"""

import torch

from lessons.residual_connections.experiments.shared.stacks import training

GRID = {"seed": [0], "steps": [200, 1000], "rate": [0.0001, 0.0003, 0.001]}
# Which networks get stuck is chaotic: another processor changes the errors of some of them.
AGAIN = {"seed": 0, "steps": 200, "rate": 0.0001}
TOLERANCE = {"curve": 0.4, "best": 0.4, "worst": 0.5}


def point(seed: int, steps: int, rate: float) -> dict[str, float | list[float]]:
    """Train ten plain networks of 56 layers, and return how their errors fall."""
    errors = torch.stack(list(training("plain", 56, rate, steps, seed)))
    curve = errors[::10].median(dim=1).values
    return {
        "curve": [round(error, 4) for error in curve.tolist()],
        "best": errors[-1].min().item(),
        "worst": errors[-1].max().item(),
    }
