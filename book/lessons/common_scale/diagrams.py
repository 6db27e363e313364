"""Draw who is nearest before and after scaling, and which rows the statistics come from."""

import torch
from torch import Tensor

from lessons.kit.diagrams import Diagram, Matrix, arrow, arrows, box, draw, grid, matrix

NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eve"]
STUDENTS = [[19.0, 30_000], [24, 30_500], [19, 33_000], [18, 20_000], [25, 50_000]]


def nearest() -> Diagram:
    """Draw distances to Ana before and after min–max scaling; the nearest student is outlined."""
    raw = torch.tensor(STUDENTS, dtype=torch.float64)
    low, high = raw.aminmax(dim=0)
    scaled = (raw - low) / (high - low)
    tables = [
        _table(raw, "years and dollars"),
        _table(scaled, "scaled by min–max"),
    ]
    distances = [_distances(raw), _distances(scaled)]
    return draw(
        grid([list(pair) for pair in zip(tables, distances, strict=True)], gap=(120, 56)),
        *(arrow(a, b, "distance to Ana") for a, b in zip(tables, distances, strict=True)),
        arrow(tables[0], tables[1], "each column from 0 to 1", label_side="right"),
        alt="A table of Ana, Ben and Cleo with age and tuition. In years and dollars Ben is 500.02 "
        "from Ana, and Cleo is 3000. After min–max scaling Ben is 0.71 from Ana, and Cleo is 0.10: "
        "the nearest student has changed.",
        caption="The students are the same. Which of them is nearest depends on the scale.",
    )


def _table(table: Tensor, name: str) -> Matrix:
    return matrix(
        table[:3],
        "data",
        name=name,
        rows=NAMES[:3],
        columns=["age", "tuition"],
        shaded=False,
    )


def _distances(table: Tensor) -> Matrix:
    lengths = (table[1:3] - table[0]).norm(dim=-1)
    return matrix(
        [[""], *lengths[:, None].tolist()],
        "score",
        name="distance",
        lit=[(int(lengths.argmin()) + 1, 0)],
    )


def statistics() -> Diagram:
    """Draw how the mean and standard deviation of the training rows also scale the test rows."""
    train, test = box("training rows", "data"), box("test rows", "data")
    known = box("μ and σ", "norm", note="of each column")
    scales = [box("(x − μ) / σ", "norm") for _ in range(2)]
    fit, error = box("fit the model", "plain"), box("measure its error", "plain")
    return draw(
        grid(
            [[train, scales[0], fit], [known, None, None], [test, scales[1], error]],
            gap=(70, 40),
        ),
        arrow(train, known),
        *arrows(train, scales[0], fit),
        *arrows(test, scales[1], error),
        *(
            arrow(known, scale, start_side="right", end_side=side, bend="elbow")
            for scale, side in zip(scales, ("bottom", "top"), strict=True)
        ),
        arrow(fit, error, "the same weights", label_side="right"),
        alt="The training rows give mean and standard deviation of each column. They scale the "
        "training rows before the model is fitted, and the test rows before its error is measured. "
        "No arrow leads from the test rows to the statistics.",
        caption="The test rows are scaled, but they do not change the mean or the standard "
        "deviation.",
    )
