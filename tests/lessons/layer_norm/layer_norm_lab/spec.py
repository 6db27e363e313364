"""The layer-norm lab: one token step by step, and a table of tokens along either axis."""

import random
from collections.abc import Iterator

import torch
from controls import control, picked, saved_state, switched, typed

from lessons.kit.figures.registry import LayerNormLab

FIGURE = LayerNormLab
HOME = "notebooks/16_layer_norm.html"
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
LIMITS = {"eps": (0.0, 1.0)}
REFUSED = [
    ({"values": [1]}, "values must have 2 to 8 entries, got 1"),
    ({"values": [1] * 9}, "values must have 2 to 8 entries, got 9"),
    ({"values": [1, 16.5]}, "values must lie between -10 and 16, got 16.5"),
    ({"values": [1, float("nan")]}, "values must lie between -10 and 16, got nan"),
    ({"gamma": [1, 1]}, "values, gamma and beta must be equally many, got 4, 2 and 4"),
    ({"beta": [0, 0, 0, -11]}, "beta must lie between -10 and 10, got -11"),
    ({"values": []}, "values must have 2 to 8 entries, got 0"),
    (
        {"tokens": [], "table": [], "pads": []},
        r"table must share one length .* got \[\]",
    ),
    ({"tokens": ["a"]}, "tokens, table and pads must be equally many, got 1, 3 and 3"),
    ({"pads": [True] * 3}, "at least one real token, got"),
    ({"table": [[1], [2], [4, 5]]}, r"share one length of at least 1, got \[1, 2\]"),
    ({"table": [[1], [2], [float("inf")]]}, "table must hold finite numbers"),
    ({"axis": "batch", "selected": 2}, "selected must satisfy 0 <= selected < 2, got 2"),
    ({"selected": -1}, "selected must satisfy 0 <= selected < 3, got -1"),
    ({"axis": "rows"}, "rows"),
    ({"view": "both"}, "both"),
    ({"values": ["1", "2"]}, "'1'"),
]
LOST = (
    {"selected": 2},
    {"tokens": ["a"], "table": [[1.0, 2.0, 3.0]], "pads": [False]},
    "selected must satisfy 0 <= selected < 1, got 2",
)
TABLES = {"view": "table"}  # in this view every result is a table
OTHER_FORM = ["One token", "Step by step"]  # live with boxes, and each sum written out


def make(**traits) -> LayerNormLab:
    first = {
        "values": [2, 4, 6, 8],
        "tokens": ["Hi", "Hello", "pad"],
        "table": [[6.0, 0.6], [3.0, 0.8], [0.0, 0.0]],
        "pads": [False, False, True],
    }
    return LayerNormLab(**(first | traits))


def cases() -> Iterator[LayerNormLab]:
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
        for figure.view in ("token", "table"):
            yield figure


def first_view(host) -> None:
    control(host, "one token").check()


def randomize(host, dice: random.Random) -> dict:
    size = len(saved_state(host)["values"])
    decade = dice.randrange(14)
    control(host, "ε").fill(str(decade))
    control(host, "one token").check()
    return {
        "eps": float(f"1e{decade - 13}") if decade else 0.0,
        "values": typed(host, "Typed value", size, dice, top=10),
        "gamma": typed(host, "Gain γ of feature", size, dice, top=5),
        "beta": typed(host, "Shift β of feature", size, dice, top=5),
        "unbiased": picked(host, ["n", "n − 1"], dice) == 1,
        "eps_inside": picked(host, ["inside the root", "outside"], dice) == 0,
    }


def randomize_table(host, dice: random.Random) -> dict:
    decade = dice.randrange(1, 14)
    control(host, "ε").fill(str(decade))
    control(host, "a table of tokens").check()
    axes = ["along a row (layer)", "down a column (batch)"]
    by_column = picked(host, axes, dice) == 1
    return {
        "view": "table",
        "eps": float(f"1e{decade - 13}"),
        "axis": "batch" if by_column else "layer",
        "count_pads": switched(host, "pads count in the statistics", dice) if by_column else True,
    }


def make_unusual(host) -> None:
    control(host, "Example").select_option(label="[1, 1, 1, 1] constant")
    control(host, "ε").press("Home")
    assert host.locator(".lf-live [data-value='NaN']").first.is_visible()


def make_unusual_table(host) -> None:
    control(host, "a table of tokens").check()
    control(host, "down a column (batch)").check()
    control(host, "pads count in the statistics").uncheck()
