"""Small machines of the workbench's exercises, each with three seeds, trained with PyTorch.

"learned" is the step at which 95 % of the held-out answers were right, or 0 if that did not happen
in 2,000 steps; "weights" is the number of the machine's weights.
"""

from typing import Any

from lessons.kit.races import Options, train

SMALL: dict[str, Any] = {"layers": 1, "width": 16, "head_width": 4, "hidden": 64}
MACHINES: dict[str, tuple[str, dict[str, Any]]] = {
    "count: 4 heads of 8, no scale": ("count", {"scaled": False}),
    "sort: 1 layer of width 16": ("sort", SMALL),
    "sort: the same with 1 head": ("sort", SMALL | {"heads": 1, "head_width": 16}),
    "sort: the same without feed-forward": ("sort", SMALL | {"feed_forward": False}),
}
GRID = {"machine": [*MACHINES], "seed": [1, 2, 3]}
TOLERANCE = {"learned": 400, "weights": 0}


def point(machine: str, seed: int) -> dict[str, int]:
    """Train one machine with one seed."""
    task, options = MACHINES[machine]
    trained, record = train(task, Options(**options, seed=seed), 2000)
    weights = sum(weight.numel() for weight in trained.parameters())
    return {"learned": record.learned or 0, "weights": weights}
