"""The norm axes: five normalizations of one batch of tokens, group by group."""

import random
from collections.abc import Iterator

import torch
from controls import chosen, control, picked, saved_state, slid

from lessons.kit.figures.registry import NormAxes
from lessons.normalization.norm_axes.norm_axes import WRITERS as WRITERS

FIGURE = NormAxes
HOME = "notebooks/15_normalization.html"
KEYS = [
    ("layer", "ArrowRight"),
    ("batch", "ArrowRight"),
    ("instance", "ArrowRight"),
    ("Groups/2", "ArrowRight"),
    ("Token", "ArrowUp"),
    ("Feature/1", "ArrowRight"),
    ("Its number", "ArrowLeft"),
]
LABELS = ["batch", "Feature/3"]
SLIDERS = ["Its number"]
NORMS = ["layer", "batch", "instance", "group", "RMS"]
UNSEEN = ("shared",)  # outlines, not numbers
LIMITS = {"eps": (0.0, 1.0)}
REFUSED = [
    ({"tokens": [["The", "cat"], ["A", "dog"]]}, r"equally many tokens .*\[2, 2\].*\[3, 3\]"),
    ({"tokens": [["The", "cat", "sat"]]}, r"equally many tokens in each sentence, got .*\[3\]"),
    ({"tokens": [], "table": []}, r"equally many tokens in each sentence, got"),
    ({"tokens": [["a", "b"], ["c"]], "table": [[[1.0], [2.0]], [[3.0]]]}, r"got .*\[2, 1\]"),
    ({"tokens": [["a", "b"]], "table": [[[1.0, 2.0], [3.0]]]}, r"one length .* got \[1, 2\]"),
    ({"tokens": [["a"]], "table": [[[1.0] * 7]], "num_groups": 1}, r"from 1 to 6, got \[7\]"),
    ({"tokens": [["a"]], "table": [[[1.0, 20.5]]]}, r"between -20 and 20, got 20\.5"),
    ({"tokens": [["a"]], "table": [[[1.0, float("nan")]]]}, r"between -20 and 20, got nan"),
    ({"num_groups": 3}, r"num_groups must divide the width 4, got 3"),
    ({"num_groups": 0}, r"num_groups must divide the width 4, got 0"),
    ({"token": 6}, r"token must satisfy 0 <= token < 6, got 6"),
    ({"feature": -1}, r"feature must satisfy 0 <= feature < 4, got -1"),
    ({"norm": "weight"}, r"norm.*weight"),
]
LOST = (
    {"token": 5, "feature": 3},
    {"tokens": [["a"]], "table": [[[1.0, 2.0]]]},
    "token must satisfy 0 <= token < 1, got 5",
)


def make(**traits) -> NormAxes:
    first = {
        "tokens": [["The", "cat", "sat"], ["A", "dog", "ran"]],
        "table": [
            [[2, 1, 4, 5], [6, 2, 3, 1], [1, 5, 2, 8]],
            [[3, 1, 7, 5], [7, 3, 1, 1], [2, 6, 4, 4]],
        ],
    }
    return NormAxes(**(first | traits))


def cases() -> Iterator[NormAxes]:
    for b, t, d, groups in ((2, 3, 4, 2), (1, 2, 6, 3), (3, 1, 2, 1), (2, 2, 1, 1)):
        for norm in NORMS:
            yield NormAxes(
                [[f"w{i}" for i in range(t)]] * b,
                (5 * torch.randn(b, t, d, dtype=torch.float64)).tolist(),
                norm=norm,
                num_groups=groups,
                eps=0.5 if norm == "group" else 1e-5,
                token=b * t - 1,
                feature=d // 2,
            )


def randomize(host, dice: random.Random) -> dict:
    host.get_by_role("button", name="Reset").click()  # or an earlier change of a number stays
    table = saved_state(host)["table"]
    control(host, "group").check()
    num_groups = [1, 2, 4][picked(host, ["Groups/1", "Groups/2", "Groups/4"], dice)]
    norm = NORMS[picked(host, NORMS, dice)]
    token = chosen(host, "Token", 6, dice)
    feature = picked(host, [f"Feature/{d}" for d in range(1, 5)], dice)
    table[token // 3][token % 3][feature] = slid(host, "Its number", [-20, -3.5, 0, 11, 20], dice)
    place = {"token": token, "feature": feature}
    return place | {"table": table, "norm": norm, "num_groups": num_groups}


def make_unusual(host) -> None:
    control(host, "group").check()
    control(host, "Groups/1").check()
    control(host, "Token").select_option(index=5)
    control(host, "Its number").press("End")
