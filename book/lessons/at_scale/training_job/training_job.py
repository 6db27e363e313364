"""The training job: what a worker holds, sends and waits for, as formulas with numbers in them."""

import html
from collections.abc import Callable

import torch
from torch import Tensor
from traitlets import Bool, Float, Int, Unicode

from lessons.at_scale.training_job.job_costs import (
    GIGABYTE,
    SHARED,
    Job,
    formulas,
    percent,
    size,
    time,
)
from lessons.kit.figures import LiveFigure, panels, picture_tables

#: How each table writes its numbers.
WRITERS: dict[str, Callable[[float], str]] = {
    "memory": size,
    "sent": size,
    "times": time,
    "efficiency": percent,
}
_STEP_PARTS = ("sent", "times", "efficiency")


class TrainingJob(LiveFigure):
    """One step of a data parallel training: memory, bytes and seconds of each worker.

    Its numbers are formulas, not measurements: what a worker keeps by level of sharding, what a
    ring sends, and how long a step takes if computing and sending follow one another, and if they
    overlap altogether.

    Args:
        model: "captions translator", that of part V; "GPT-2 small", "GPT-2 XL", "Llama 7B" or
            "Llama 2 70B".
        workers: N, from 1 to 64.
        batch_tokens: the tokens of a step, a power of two from 1024 to 4194304.
        sharding: "ddp", "zero1", "zero2" or "zero3", what is cut into N parts.
        precision: "float32"; "autocast", float32 that is computed in bfloat16; "bfloat16" with a
            float32 copy of the weights.
        checkpointing: whether activations are computed again in the backward pass.
        memory: gigabytes of a device: 8, 16, 24, 40, 80, 141 or 192.
        link: gigabits a second from a worker to the next: 1, 10, 25, 50, 100, 200, … 3200.
        speed: trillions of operations a second that a device reaches: 0.05, 0.1, 0.5, 1, 5, 10,
            20, 50, 100, 200, 400 or 800.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.

    Reference: Rajbhandari et al. 2020; Patarasuk and Yuan 2009; Korthikanti et al. 2022.
    """

    name = "training_job"
    printed = ("model", "workers")

    model = Unicode("GPT-2 XL").tag(sync=True, figure=True, options=[*SHARED["models"]])
    workers = Int(8).tag(sync=True, figure=True, limits=SHARED["workers"])
    batch_tokens = Int(65536).tag(sync=True, figure=True, options=SHARED["batch_tokens"])
    sharding = Unicode("ddp").tag(sync=True, figure=True, options=[*SHARED["shardings"]])
    precision = Unicode("float32").tag(sync=True, figure=True, options=[*SHARED["precisions"]])
    checkpointing = Bool(False).tag(sync=True, figure=True)
    memory = Int(40).tag(sync=True, figure=True, options=SHARED["memory"])
    link = Int(100).tag(sync=True, figure=True, options=SHARED["link"])
    speed = Float(100.0).tag(sync=True, figure=True, options=SHARED["speed"])

    @property
    def job(self) -> Job:
        """The figure's settings as a job."""
        return Job(**{name: getattr(self, name) for name in Job._fields})

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, in float64.

        memory (5, 1): bytes of weights, gradients, optimizer, activations, and their sum; sent
        (2, 1): bytes that one worker sends, and all; times (4, 1): seconds of computing and of
        sending, and of a step in which they follow one another or overlap altogether; efficiency
        (2, 1): the share of computing in these two steps, in percent.
        """
        job = self.job
        held = [*job.states, job.activations]
        one, two = job.computing, job.sending
        steps = [one + two, max(one, two)]
        columns = {
            "memory": [*held, sum(held)],
            "sent": [job.sent, self.workers * job.sent],
            "times": [one, two, *steps],
            "efficiency": [100 * one / step for step in steps],
        }
        return {
            name: torch.tensor(column, dtype=torch.float64)[:, None]
            for name, column in columns.items()
        }

    def picture(self) -> str:
        """Return the settings, the tables, and each number's formula."""
        written, kinds = formulas(self.job), dict.fromkeys(WRITERS, "tl-plain tj-numbers")
        names = {key: (SHARED[f"{key}_rows"], [SHARED["heads"][key]]) for key in WRITERS}
        held, *others = picture_tables(SHARED["captions"], self.results(), names, kinds, WRITERS)
        step_rows = [row for name in _STEP_PARTS for row in SHARED[f"{name}_rows"]]
        memory = panels(held, _list(SHARED["memory_rows"], written["memory"]))
        steps = panels(
            f'<div class="tj-tables">{"".join(others)}</div>',
            _list(step_rows, written["steps"]),
        )
        return f"<p>{html.escape(self._settings())}</p>{memory}{steps}{_notes()}"

    def _settings(self) -> str:
        """Say in words what is set."""
        workers = "1 worker" if self.workers == 1 else f"{self.workers} workers"
        again = ", activations computed again" if self.checkpointing else ""
        return (
            f"{self.model} on {workers}, {self.batch_tokens} tokens a batch; cut among them: "
            f"{SHARED['shardings'][self.sharding]}; {SHARED['precisions'][self.precision]['label']}"
            f"{again}. A device: {size(self.memory * GIGABYTE)}, {self.link} Gbit/s, "
            f"{self.speed:g} trillion operations a second."
        )


def _list(names: list[str], texts: list[str]) -> str:
    """Write formulas under their names."""
    items = "".join(
        f"<li><b>{html.escape(name)}</b> {html.escape(text)}</li>"
        for name, text in zip(names, texts, strict=True)
    )
    return f'<ul class="tj-formulas">{items}</ul>'


def _notes() -> str:
    """Write what the formulas leave out."""
    return "".join(f'<p class="tj-note">{html.escape(note)}</p>' for note in SHARED["notes"])
