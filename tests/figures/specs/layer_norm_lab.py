"""The layer-norm lab: one token step by step, and a table of tokens along either axis."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, switched, typed
from torch import Tensor

from transformer_lite.figures import LayerNormLab

FIGURE = LayerNormLab
HOME = "notebooks/13_layer_norm.html"
KEYS = [
    ("Value 1", "ArrowLeft"),
    ("Typed value 2", "ArrowUp"),
    ("Gain γ of feature 1", "ArrowDown"),
    ("Shift β of feature 4", "5"),
    ("n", "ArrowRight"),
    ("inside the root", "ArrowRight"),
    ("ε", "End"),
    ("Example", "ArrowDown"),
    ("one token", "ArrowRight"),
    ("along a row (layer)", "ArrowRight"),
    ("pads count in the statistics", "Space"),
    ("Column", "ArrowDown"),
]
LABELS = ["n − 1", "a table of tokens"]
SLIDERS = ["Value 3"]
VIEWS = ["one token", "a table of tokens"]


def make(**traits) -> LayerNormLab:
    first = {
        "values": [2, 4, 6, 8],
        "tokens": ["Hi", "Hello", "pad"],
        "table": [[6.0, 0.6], [3.0, 0.8], [0.0, 0.0]],
        "pads": [False, False, True],
    }
    return LayerNormLab(**(first | traits))


def cases() -> Iterator[dict]:
    for case in range(8):
        figure = LayerNormLab(
            (16 * torch.rand(2 + case % 4) - 8).tolist(),
            ["a", "b", "c"],
            (4 * torch.randn(3, 2 + case % 3, dtype=torch.float64)).tolist(),
            [False, False, True],
            eps=[1e-5, 1e-3, 0.5][case % 3],
            unbiased=bool(case & 1),
            eps_inside=bool(case & 2),
            axis="batch" if case & 4 else "layer",
            count_pads=bool(case & 1),
        )
        results = {"token": figure.steps()._asdict(), "groups": figure.groups()._asdict()}
        yield {"state": figure.state(), "expected": results}


def expected(figure: LayerNormLab) -> dict[str, Tensor]:
    if figure.view == "token":
        steps = figure.steps()
        return steps._asdict() | {"squared": steps.centered.square()}
    groups = figure.groups()
    stats = torch.stack([groups.mean, groups.std, groups.root])
    table = {"table": torch.tensor(figure.table), "groups": groups.normalized}
    by_row = figure.axis == "layer"
    return table | ({"row_statistics": stats.T} if by_row else {"column_statistics": stats})


def first_view(host) -> None:
    control(host, "one token").check()


def randomize(host, dice: random.Random) -> LayerNormLab:
    start = saved_state(host)
    size = len(start["values"])
    decade = dice.randrange(14)
    control(host, "ε").fill(str(decade))
    control(host, "one token").check()
    state = {
        "eps": float(f"1e{decade - 13}") if decade else 0.0,
        "values": typed(host, "Typed value", size, dice, top=10),
        "gamma": typed(host, "Gain γ of feature", size, dice, top=5),
        "beta": typed(host, "Shift β of feature", size, dice, top=5),
        "unbiased": picked(host, ["n", "n − 1"], dice) == 1,
        "eps_inside": picked(host, ["inside the root", "outside"], dice) == 0,
    }
    return LayerNormLab(**(start | state))


def randomize_table(host, dice: random.Random) -> LayerNormLab:
    start = saved_state(host)
    decade = dice.randrange(1, 14)
    control(host, "ε").fill(str(decade))
    control(host, "a table of tokens").check()
    axes = ["along a row (layer)", "down a column (batch)"]
    by_column = picked(host, axes, dice) == 1
    state = {
        "view": "table",
        "eps": float(f"1e{decade - 13}"),
        "axis": "batch" if by_column else "layer",
        "count_pads": switched(host, "pads count in the statistics", dice) if by_column else True,
    }
    return LayerNormLab(**(start | state))


def make_unusual(host) -> None:
    control(host, "Example").select_option(label="[1, 1, 1, 1] constant")
    control(host, "ε").press("Home")
    assert host.locator(".lf-live [data-value='NaN']").first.is_visible()


def make_unusual_table(host) -> None:
    control(host, "a table of tokens").check()
    control(host, "down a column (batch)").check()
    control(host, "pads count in the statistics").uncheck()
