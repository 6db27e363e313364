"""How well machines of one and of two layers recall a digit by its letter.

The machine and the task are those of the race "recall-layers": two heads, width 32, four pairs and
four questions. Training stops when 95 % of 128 held-out texts are answered exactly right. "right"
is the part of them whose four answers are all right at the end, "loss" the held-out loss.
"""

from lessons.kit.races import Options, train

GRID = {"layers": [1, 2], "steps": [600, 2000], "seed": [1, 8, 10]}
TOLERANCE = {"right": 0.1, "loss": 0.1}


def point(layers: int, steps: int, seed: int) -> dict[str, float]:
    """Train one machine and measure it."""
    options = Options(layers=layers, heads=2, head_width=16, seed=seed)
    _, record = train("recall", options, steps)
    return {"right": record.accuracy[-1], "loss": record.held_out[-1]}
