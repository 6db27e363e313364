"""The scale lab: two columns, four scalings, and the distances to the first row."""

import random
from collections.abc import Iterator

import torch
from controls import chosen, control, picked, saved_state, slid

from lessons.common_scale.scale_lab.scale_lab import DIVISORS, SCALINGS
from lessons.kit.figures.registry import ScaleLab

FIGURE = ScaleLab
HOME = "notebooks/14_common_scale.html"
KEYS = [
    ("none", "ArrowRight"),
    ("min–max", "ArrowRight"),
    ("Divide tuition by/1", "ArrowRight"),
    ("Row", "ArrowDown"),
    ("age", "ArrowRight"),
    ("tuition", "ArrowLeft"),
]
LABELS = ["z-scores", "Divide tuition by/1000"]
SLIDERS = ["age", "tuition"]
AGES, TUITIONS = list(range(0, 121, 5)), list(range(0, 100_001, 500))
REFUSED = [
    ({"names": ["a", "b"], "table": [[0, 0]] * 2}, "names must have 3 to 6 entries, got 2"),
    ({"names": ["a"] * 7, "table": [[0, 0]] * 7}, "names must have 3 to 6 entries, got 7"),
    ({"names": ["a", "b", "c"]}, "names and table must be equally many, got 3 and 5"),
    ({"features": ["age"]}, "features must have 2 entries, got 1"),
    ({"table": [[0, 0]] * 4 + [[0]]}, r"table must share the length 2, got \[1, 2\]"),
    ({"table": [[0, 0]] * 4 + [[121, 0]]}, "table must lie between 0 and 120, got 121"),
    ({"table": [[0, 0]] * 4 + [[0, -1]]}, "table must lie between 0 and 100000, got -1"),
    ({"table": [[0, 0]] * 4 + [[0, float("nan")]]}, "between 0 and 100000, got nan"),
    ({"scaling": "mean"}, "mean"),
    ({"divisor": 100}, r"divisor must be one of \[1, 1000\], got 100"),
    ({"row": 5}, "row must satisfy 0 <= row < 5, got 5"),
]
LOST = (
    {"row": 4},
    {"names": ["a", "b", "c"], "table": [[0.0, 0.0]] * 3},
    "row must satisfy 0 <= row < 3, got 4",
)


def make(**traits) -> ScaleLab:
    first = {
        "names": ["Ana", "Ben", "Cleo", "Dan", "Eve"],
        "features": ["age", "tuition"],
        "table": [[19, 30_000], [24, 30_500], [19, 33_000], [18, 20_000], [25, 50_000]],
    }
    return ScaleLab(**(first | traits))


def cases() -> Iterator[ScaleLab]:
    for count in (3, 4, 6):
        for i, scaling in enumerate(SCALINGS):
            table = torch.rand(count, 2, dtype=torch.float64) * torch.tensor([120.0, 100_000])
            if count == 4:
                table[:, 0] = 20  # a column that does not vary
            yield ScaleLab(
                [f"row {n}" for n in range(count)],
                ["x", "y"],
                table.tolist(),
                scaling=scaling,
                divisor=DIVISORS[i % 2],
                row=count - 1,
            )


def randomize(host, dice: random.Random) -> dict:
    host.get_by_role("button", name="Reset").click()  # or an earlier change of a number stays
    table = saved_state(host)["table"]
    scaling = SCALINGS[picked(host, SCALINGS, dice)]
    divisor = DIVISORS[picked(host, [f"Divide tuition by/{n}" for n in DIVISORS], dice)]
    row = chosen(host, "Row", len(table), dice)
    table[row] = [slid(host, "age", AGES, dice), slid(host, "tuition", TUITIONS, dice)]
    return {"table": table, "scaling": scaling, "divisor": divisor, "row": row}


def make_unusual(host) -> None:
    control(host, "median").check()
    control(host, "Row").select_option(index=4)
    control(host, "age").press("End")
    control(host, "tuition").press("End")
