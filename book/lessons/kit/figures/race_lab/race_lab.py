"""A race in a chapter: a whole and a changed Transformer are trained in the page.

The engine of `kit/engine` trains. What a printed page shows was recorded with it, in `record.json`:

    node book/lessons/kit/figures/race_lab/record.js [race …]
"""

import html
import json
import math
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Bool, Int, Unicode

from lessons.kit.figures import SHEETS, LiveFigure, panels, text_table
from lessons.kit.figures.units import number

FOLDER = Path(__file__).parent
#: Settings, tasks, guided races and texts, which the figures' JavaScript reads too.
TEXTS: dict[str, Any] = json.loads((FOLDER / "race_lab.json").read_text(encoding="utf-8"))
#: The recorded run of each guided race, by its id.
RECORD: dict[str, Any] = json.loads((FOLDER / "record.json").read_text(encoding="utf-8"))
RACES = {race["id"]: race for race in TEXTS["races"]}
ENGINE = SHEETS.parent / "engine/worker.js"
EVERY = 25  # steps between two measurements
MACHINES = ("whole", "changed")


class RaceLab(LiveFigure):
    """One guided race: predict which machine learns, train both, and read why.

    Args:
        race: the id of a guided race, such as "text-mask".
        seeds: how many seeds each machine is trained with, 1, 3 or 5.
        recorded: whether the chart shows the recorded run.

    Raises:
        TraitError: a value has the wrong type or is not one of these.
    """

    name = "race_lab"
    printed = ("race",)
    asset_files: ClassVar = {"engine": ENGINE}

    race = Unicode("reverse-positions").tag(sync=True, figure=True, options=list(RACES))
    seeds = Int(1).tag(sync=True, figure=True, options=TEXTS["seeds"])
    recorded = Bool(False).tag(sync=True, figure=True)

    def __init__(self, race: str = "reverse-positions", **traits: Any) -> None:
        super().__init__(race=race, **traits)

    def results(self) -> dict[str, Tensor]:
        """Return how the recorded run ended, as `ends_of` does."""
        return ends_of(RECORD[self.race])

    def picture(self) -> str:
        """Return the question, the curves of the recorded run, how it ended, and the cause."""
        race, record = RACES[self.race], RECORD[self.race]
        lines = (
            f"<p><b>{html.escape(race['question'])}</b> {html.escape(sentence(race['task']))}</p>"
        )
        cause = f"<p>{html.escape(race['cause'])}</p>"
        return f"{lines}{chart(record, race['steps'])}{panels(ends_table(record))}{cause}"


def ends_of(record: dict[str, Any]) -> dict[str, Tensor]:
    """Return how a recorded race ended.

    ends (2, 3): step, held-out loss and the part that is exactly right, which is NaN for a text,
    of the whole and the changed machine; baselines (3,): the losses of a random guess, of the best
    bigram table, and the lowest that is possible.
    """
    ends = [record[machine] for machine in MACHINES]
    rows = [(end["step"], end["losses"][-1], end["accuracy"]) for end in ends]
    numbers = [[math.nan if x is None else float(x) for x in row] for row in rows]
    baselines = [record["baselines"][name] for name in TEXTS["baselines"]]
    return {
        "ends": torch.tensor(numbers, dtype=torch.float64),
        "baselines": torch.tensor(baselines, dtype=torch.float64),
    }


def sentence(task: str) -> str:
    """Return what a task asks, with its example.

    >>> sentence("copy")
    'Copy: Repeat six letters. badcef → badcef.'
    """
    text = TEXTS["tasks"][task]
    example = f" {text['example']}." if text["example"] else ""
    return f"{text['title']}: {text['says']}{example}"


def ends_table(record: dict[str, Any]) -> str:
    """Return the table of how a recorded race ended."""
    return text_table(
        TEXTS["captions"]["ends"],
        TEXTS["rows"],
        [TEXTS["weights_head"], TEXTS["seed"].format(seed=1)],
        [[f"{record[m]['weights']:,}", _end(record[m])] for m in MACHINES],
    )


def _end(machine: dict[str, Any]) -> str:
    """Return in a few words how a machine ended."""
    accuracy = machine["accuracy"]
    kind = "loss" if accuracy is None else "arrived" if machine["arrived"] else "missed"
    words = {"step": machine["step"], "loss": number(machine["losses"][-1], 2)}
    text: str = TEXTS["ends"][kind].format(**words, right=number(100 * (accuracy or 0), 0))
    return text


def chart(record: dict[str, Any], steps: int) -> str:
    """Return the curves of a recorded run as a drawing, each line with its name at its end."""
    left, right, top, floor = 44, 460, 10, 228
    baselines = record["baselines"]
    most = 1.06 * max(baselines["guess"], *(max(record[m]["losses"]) for m in MACHINES))

    def at(step: float, loss: float) -> tuple[float, float]:
        return left + step / steps * (right - left), floor - loss / most * (floor - top)

    parts = [f'<path class="tl-frame" d="M{left} {top}V{floor}H{right}"/>']
    for name, loss in baselines.items():
        _, y = at(0, loss)
        text = html.escape(f"{TEXTS['baselines'][name]} {number(loss, 2)}")
        is_low = (name == "bigram" and abs(loss - baselines["guess"]) < 0.2) or (
            name == "best" and y < floor - 20
        )
        below = y + (14 if is_low else -4)
        parts.append(
            f'<line class="race-baseline" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="race-baseline-name" x="{right}" y="{below:.1f}">{text}</text>'
        )
    for i, machine in enumerate(MACHINES):
        points = [at(EVERY * k, loss) for k, loss in enumerate(record[machine]["losses"])]
        d = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        x, y = points[-1]
        shape = (
            f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'
            if i
            else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
        )
        parts.append(f'<path class="tl-line tl-line-{i}" d="M{d}"/>')
        parts.append(f'<g class="race-end tl-line-{i}">{shape}</g>')
    keys = "".join(
        f'<span class="tl-key tl-line-{i}">{html.escape(name)}</span>'
        for i, name in enumerate(TEXTS["names"])
    )
    axis = html.escape(f"{TEXTS['axes']['y']} by {TEXTS['axes']['x']}, 0 to {steps}")
    return (
        f'<div class="tl-chart-box race-chart"><svg class="tl-chart" viewBox="0 0 480 270" '
        f'role="img" aria-label="{axis}">{"".join(parts)}'
        f'<text class="tl-axis" x="252" y="258">{axis}</text></svg>'
        f'<div class="tl-legend">{keys}</div></div>'
    )
