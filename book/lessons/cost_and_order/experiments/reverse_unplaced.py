"""How well a small causal model without positions reverses six letters, by training steps.

The model is the workbench's whole machine without positions: two layers of width 32 with four
heads, at the learning rate 0.003. "loss" is the held-out loss at the end, and "right" the share of
128 held-out answers in which all six letters are right.
"""

from lessons.kit.races import Options, train

GRID = {"steps": [50, 400, 1600, 6400], "seed": [1, 2, 3]}
TOLERANCE = {"loss": 0.1, "right": 0.1}


def point(steps: int, seed: int) -> dict[str, float]:
    """Train one machine and measure it at the end."""
    _, record = train("reverse", Options(positions="none", seed=seed), steps)
    return {"loss": record.held_out[-1], "right": record.accuracy[-1]}
