"""The workbench: a small Transformer is trained in the page, with a part and without it.

The engine of `kit/engine` trains. What a printed page shows was recorded with it, in `record.json`:

    node book/lessons/the_workbench/workbench/record.js [race …]
"""

import html
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Bool, Dict, Float, Int, Unicode

from lessons.kit.figures import SHEETS, LiveFigure, panels, shared, text_table
from lessons.kit.figures.units import number

SHARED = shared("workbench")
RECORD = json.loads(Path(__file__).with_name("record.json").read_text(encoding="utf-8"))
SETTINGS = {setting["name"]: setting for setting in SHARED["settings"]}
EVERY = 25  # steps between two measurements
MACHINES = ("whole", "changed")


class Workbench(LiveFigure):
    """Two small Transformers learn the same task: a whole one, and one that was changed.

    Both train in the page, from the same seeds. `whole` and `changed` name settings of
    `SETTINGS`: those of the whole machine that are not the usual ones, and those of the changed
    machine in which it differs from the whole one.

    Args:
        task: a name of `SHARED["tasks"]`, such as "reverse", or "own" for a text of the reader's.
        whole: settings of both machines, such as {"layers": 6}.
        changed: settings of the changed machine, such as {"positions": "none"}.
        rate: the learning rate, one of 0.001, 0.003, 0.01, 0.03.
        steps: the most steps of a machine, 25 to 2,000.
        seeds: how many seeds each machine is trained with, 1, 3 or 5.
        first_seed: the first of them, 1 to 9,999.
        recorded: whether the chart shows the recorded run of this race, if there is one.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "workbench"
    printed = ("task", "changed")
    asset_files: ClassVar = {"engine": SHEETS.parent / "engine/worker.js"}

    task = Unicode("reverse").tag(sync=True, figure=True, options=list(SHARED["tasks"]))
    whole = Dict().tag(sync=True, figure=True)
    changed = Dict({"positions": "none"}).tag(sync=True, figure=True)
    rate = Float(0.003).tag(sync=True, figure=True, options=SHARED["rates"])
    steps = Int(400).tag(sync=True, figure=True, limits=SHARED["steps"])
    seeds = Int(1).tag(sync=True, figure=True, options=SHARED["seeds"])
    first_seed = Int(1).tag(sync=True, figure=True, limits=SHARED["first_seed"])
    recorded = Bool(False).tag(sync=True, figure=True)

    @staticmethod
    def problems(*, whole: dict[str, Any], changed: dict[str, Any], **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        for of, settings in (("whole", whole), ("changed", changed)):
            for name, value in settings.items():
                if name not in SETTINGS:
                    yield f"{of} must name settings of {[*SETTINGS]}, got {name!r}"
                elif (type(value), value) not in [(type(x), x) for x in SETTINGS[name]["values"]]:
                    yield f"{name} of {of} must be one of {SETTINGS[name]['values']}, got {value!r}"

    @property
    def race(self) -> dict[str, Any] | None:
        """The guided race that this is, whatever its seeds."""
        own = {n: getattr(self, n) for n in ("task", "whole", "changed", "rate", "steps")}
        usual = {"whole": {}, "rate": 0.003}
        races = SHARED["races"]
        return next((race for race in races if {n: (usual | race)[n] for n in own} == own), None)

    @property
    def record(self) -> dict[str, Any] | None:
        """The recorded run of this race."""
        return RECORD[self.race["id"]] if self.race else None

    def results(self) -> dict[str, Tensor]:
        """Return how the recorded run of this race ended; nothing if it is not a guided race.

        ends (2, 3): step, held-out loss and the part that is exactly right, which is NaN for a
        text, of the whole and the changed machine; floors (3,): the losses of a random guess, of
        the best table of pairs, and the lowest that is possible.
        """
        record = self.record
        if record is None:
            return {}
        ends = [record[machine] for machine in MACHINES]
        rows = [(end["step"], end["losses"][-1], end["accuracy"]) for end in ends]
        floors = [record["floors"][name] for name in SHARED["floors"]]
        numbers = [[math.nan if x is None else float(x) for x in row] for row in rows]
        return {
            "ends": torch.tensor(numbers, dtype=torch.float64),
            "floors": torch.tensor(floors, dtype=torch.float64),
        }

    def machines(self) -> list[list[str]]:
        """Return the settings of the two machines in words, a row for each setting."""
        whole = SHARED["whole"] | self.whole
        both = (whole, whole | self.changed)
        return [
            [setting["texts"][setting["values"].index(machine[name])] for machine in both]
            for name, setting in SETTINGS.items()
        ]

    def picture(self) -> str:
        """Return the task, the curves of the recorded run, how it ended, and both machines."""
        task, record, race = SHARED["tasks"][self.task], self.record, self.race
        says = f"{task['title']}: {task['says']}"
        says += f" {task['example']}." if task["example"] else ""
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in (SHARED["question"], says))
        captions, names = SHARED["captions"], SHARED["names"]
        labels = [setting["label"] for setting in SETTINGS.values()]
        machines = text_table(captions["machines"], labels, names, self.machines())
        if record is None or race is None:
            return f"{lines}{panels(machines)}"
        ends = text_table(
            captions["ends"],
            SHARED["rows"],
            [SHARED["weights_head"], SHARED["seed"].format(seed=1)],
            [[f"{record[m]['weights']:,}", _end(record[m])] for m in MACHINES],
        )
        cause = f"<p>{html.escape(race['cause'])}</p>"
        return f"{lines}{_chart(record, self.steps)}{panels(ends, machines)}{cause}"


def _end(machine: dict[str, Any]) -> str:
    """Return in a few words how a machine ended."""
    accuracy = machine["accuracy"]
    kind = "loss" if accuracy is None else "arrived" if machine["arrived"] else "missed"
    words = {"step": machine["step"], "loss": number(machine["losses"][-1], 2)}
    text: str = SHARED["ends"][kind].format(**words, right=number(100 * (accuracy or 0), 0))
    return text


def _chart(record: dict[str, Any], steps: int) -> str:
    """Return the curves of a recorded run as a drawing, each line with its name at its end."""
    left, right, top, floor = 44, 460, 10, 228
    floors = record["floors"]
    most = 1.06 * max(floors["guess"], *(max(record[m]["losses"]) for m in MACHINES))

    def at(step: float, loss: float) -> tuple[float, float]:
        return left + step / steps * (right - left), floor - loss / most * (floor - top)

    parts = [f'<path class="tl-frame" d="M{left} {top}V{floor}H{right}"/>']
    for name, loss in floors.items():
        _, y = at(0, loss)
        text = html.escape(f"{SHARED['floors'][name]} {number(loss, 2)}")
        is_low = (name == "pairs" and abs(loss - floors["guess"]) < 0.2) or (
            name == "best" and y < floor - 20
        )
        below = y + (14 if is_low else -4)
        parts.append(
            f'<line class="wb-floor" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="wb-floor-name" x="{right}" y="{below:.1f}">{text}</text>'
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
        parts.append(f'<g class="wb-end tl-line-{i}">{shape}</g>')
    keys = "".join(
        f'<span class="tl-key tl-line-{i}">{html.escape(name)}</span>'
        for i, name in enumerate(SHARED["names"])
    )
    axis = html.escape(f"{SHARED['axes']['y']} by {SHARED['axes']['x']}, 0 to {steps}")
    return (
        f'<div class="tl-chart-box wb-chart"><svg class="tl-chart" viewBox="0 0 480 270" '
        f'role="img" aria-label="{axis}">{"".join(parts)}'
        f'<text class="tl-axis" x="252" y="258">{axis}</text></svg>'
        f'<div class="tl-legend">{keys}</div></div>'
    )
