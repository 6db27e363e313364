"""The guided races of the workbench with ten seeds each, trained with PyTorch.

For the whole and the changed machine: "learned" is the step at which 95 % of the held-out answers
were right, or 0 if that did not happen; "right" is the accuracy at the end, from 0 to 1, or −1 for
text; "loss" is the held-out loss at the end.
"""

import math
from typing import Any

from lessons.kit.figures.race_lab.race_lab import RACES
from lessons.kit.races import Options, train

GRID = {
    "race": [
        "reverse-positions", "count-positions", "text-attention", "text-mask", "count-scale",
        "recall-layers", "reverse-residual", "six-norm", "post-warmup",
    ],
    "seed": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
}  # fmt: skip
TOLERANCE = {"learned": 50, "right": 0.1, "loss": 0.1}
LARGEST = 1e6  # of a loss that has run away


def point(race: str, seed: int) -> dict[str, list[float] | list[int]]:
    """Run one race with one seed."""
    chosen: dict[str, Any] = RACES[race]
    both: list[dict[str, Any]] = [{}, chosen["changed"]]
    learned, right, loss = [], [], []
    for changes in both:
        settings: dict[str, Any] = {"width": 32, "heads": 4} | chosen.get("whole", {}) | changes
        settings["head_width"] = settings["width"] // settings["heads"]
        settings["hidden"] = 4 * settings["width"]
        options = Options(**settings, rate=chosen.get("rate", 0.003), seed=seed)
        _, record = train(chosen["task"], options, chosen["steps"])
        learned.append(record.learned or 0)
        right.append(record.accuracy[-1] if record.accuracy else -1.0)
        last = record.held_out[-1]
        loss.append(min(last, LARGEST) if math.isfinite(last) else LARGEST)
    return {"learned": learned, "right": right, "loss": loss}
