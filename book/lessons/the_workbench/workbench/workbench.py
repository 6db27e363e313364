"""The workbench: a small Transformer is trained in the page, with a part and without it."""

import html
from collections.abc import Iterator
from typing import Any, ClassVar

from torch import Tensor
from traitlets import Bool, Dict, Float, Int, Unicode

from lessons.kit.figures import LiveFigure, panels, shared, text_table
from lessons.kit.figures.race_lab.race_lab import (
    ENGINE,
    RECORD,
    TEXTS,
    chart,
    ends_of,
    ends_table,
    sentence,
)

SHARED = shared("workbench")
SETTINGS = {setting["name"]: setting for setting in TEXTS["settings"]}


class Workbench(LiveFigure):
    """Two small Transformers learn the same task: a whole one, and one that was changed.

    Both train in the page, from the same seeds. `whole` and `changed` name settings of
    `SETTINGS`: those of the whole machine that are not the usual ones, and those of the changed
    machine in which it differs from the whole one.

    Args:
        task: a name of `TEXTS["tasks"]`, such as "reverse", or "own" for a text of the reader's.
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
    asset_files: ClassVar = {"engine": ENGINE}

    task = Unicode("reverse").tag(sync=True, figure=True, options=list(TEXTS["tasks"]))
    whole = Dict().tag(sync=True, figure=True)
    changed = Dict({"positions": "none"}).tag(sync=True, figure=True)
    rate = Float(0.003).tag(sync=True, figure=True, options=TEXTS["rates"])
    steps = Int(400).tag(sync=True, figure=True, limits=TEXTS["steps"])
    seeds = Int(1).tag(sync=True, figure=True, options=TEXTS["seeds"])
    first_seed = Int(1).tag(sync=True, figure=True, limits=TEXTS["first_seed"])
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
        races = TEXTS["races"]
        return next((race for race in races if {n: (usual | race)[n] for n in own} == own), None)

    @property
    def record(self) -> dict[str, Any] | None:
        """The recorded run of this race."""
        return RECORD[self.race["id"]] if self.race else None

    def results(self) -> dict[str, Tensor]:
        """Return how the recorded run ended, as `ends_of` does; nothing if there is none."""
        return ends_of(self.record) if self.record else {}

    def machines(self) -> list[list[str]]:
        """Return the settings of the two machines in words, a row for each setting."""
        whole = TEXTS["whole"] | self.whole
        both = (whole, whole | self.changed)
        return [
            [setting["texts"][setting["values"].index(machine[name])] for machine in both]
            for name, setting in SETTINGS.items()
        ]

    def picture(self) -> str:
        """Return the task, the curves of the recorded run, how it ended, and both machines."""
        record, race = self.record, self.race
        says = (SHARED["question"], sentence(self.task))
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in says)
        labels = [setting["label"] for setting in SETTINGS.values()]
        captions, names = TEXTS["captions"], TEXTS["names"]
        machines = text_table(captions["machines"], labels, names, self.machines())
        if record is None or race is None:
            return f"{lines}{panels(machines)}"
        cause = f"<p>{html.escape(race['cause'])}</p>"
        return f"{lines}{chart(record, self.steps)}{panels(ends_table(record), machines)}{cause}"
