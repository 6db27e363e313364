"""What a training job costs each of its workers, from the package's formulas."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from lessons.kit.figures import shared
from lessons.kit.figures.units import number, short
from transformer_lite.training.costs import (
    Memory,
    all_reduce_bytes,
    memory_by_sharding,
    ring_all_reduce_seconds,
    training_operations,
)

SHARED = shared("training_job")
GIGABYTE, GIGABIT, TRILLION, MICROSECOND = 1e9, 1e9 / 8, 1e12, 1e-6

count = partial(short, units=SHARED["units"])
size = partial(short, units=SHARED["byte_units"])


def time(seconds: float) -> str:
    """Write a time with three digits.

    >>> time(0.0213)
    '21.3 ms'
    """
    return short(seconds / MICROSECOND, SHARED["time_units"])


def percent(share: float) -> str:
    """Write a number of percents.

    >>> percent(87.654)
    '87.7 %'
    """
    return f"{number(share, 1)} %"


class Job(NamedTuple):
    """A training job: the traits of the figure."""

    model: str
    workers: int
    batch_tokens: int
    sharding: str
    precision: str
    checkpointing: bool
    memory: int
    link: int
    speed: float

    @property
    def sizes(self) -> dict[str, int]:
        """The model's weights, layers, width and words."""
        return SHARED["models"][self.model]

    @property
    def bytes(self) -> dict[str, int]:
        """The bytes of a weight, a gradient, what the optimizer keeps, an activation."""
        return SHARED["precisions"][self.precision]

    @property
    def states(self) -> Memory:
        """What a worker keeps of weights, gradients and optimizer."""
        return memory_by_sharding(
            self.sizes["weights"],
            self.workers,
            self.sharding,
            bytes_weight=self.bytes["weight"],
            bytes_gradient=self.bytes["gradient"],
            bytes_optimizer=self.bytes["optimizer"],
        )

    @property
    def activations(self) -> float:
        """About the bytes that a worker keeps between the passes.

        For each token, layer and feature 17 numbers: 34 bytes of two-byte numbers and of masks in
        Korthikanti et al. 2022, equation 1, without the attention's tables, which fused attention
        does not keep. Computed again, a layer keeps what enters it, and one layer all.
        """
        model, kept = self.sizes, SHARED["kept"]
        layers, width = model["layers"], model["d_model"]
        features = (layers + kept) * width if self.checkpointing else kept * layers * width
        tokens = self.batch_tokens / self.workers
        return (features + model["words"]) * tokens * self.bytes["activation"]

    @property
    def gradient_bytes(self) -> float:
        """The bytes of all gradients together; the ring sends parts of them."""
        return self.sizes["weights"] * self.bytes["gradient"]

    @property
    def sent(self) -> float:
        """The bytes that a worker sends in a step.

        One all-reduce, twice around the ring: the sum of the gradients, and then the gradients or,
        with a cut optimizer, the new weights. With cut weights three times: the weights before the
        forward and before the backward pass, and the sum of the gradients.
        """
        model, moves = self.sizes, SHARED["moves"][self.sharding]
        once = all_reduce_bytes(model["weights"], self.workers, self.bytes["gradient"])
        return once * moves / 2

    @property
    def operations(self) -> float:
        """The operations of a worker in a step: a third more if activations are computed again."""
        share = SHARED["operations"]["again"] / SHARED["operations"]["once"]
        tokens = self.batch_tokens / self.workers
        once = training_operations(self.sizes["weights"], tokens)
        return once * share if self.checkpointing else once

    @property
    def computing(self) -> float:
        """The seconds in which a worker computes."""
        return self.operations / (self.speed * TRILLION)

    @property
    def sending(self) -> float:
        """The seconds in which a worker sends."""
        bandwidth, latency = self.link * GIGABIT, SHARED["latency"]
        once = ring_all_reduce_seconds(self.gradient_bytes, self.workers, bandwidth, latency)
        return once * SHARED["moves"][self.sharding] / 2


def formulas(job: Job) -> dict[str, list[str]]:
    """Return every number of the figure as a formula with its numbers in it.

    memory: five; steps: seven, from what is sent to the shares of computing.
    """
    return {"memory": _memory_formulas(job), "steps": _step_formulas(job)}


def _memory_formulas(job: Job) -> list[str]:
    """Write what a worker holds, part by part."""
    model, kept, states = job.sizes, SHARED["kept"], job.states
    names = ("weight", "gradient", "optimizer")
    weights, every = count(model["weights"]), [job.bytes[name] for name in names]
    level = [*SHARED["shardings"]].index(job.sharding)
    cut = [f" / {job.workers} workers" if level >= place else "" for place in (3, 2, 1)]
    kinds = [
        f"{each} B · {weights} weights{part} = {size(held)}"
        for each, part, held in zip(every, cut, states, strict=True)
    ]
    layers, width = model["layers"], model["d_model"]
    together = f"({kept} + {layers} layers)" if job.checkpointing else f"{kept} · {layers} layers"
    return [
        *kinds,
        f"({together} · {width} features + {model['words']} words) · {_tokens(job)} "
        f"· {job.bytes['activation']} B "
        f"= {size(job.activations)}",
        f"{' + '.join(map(size, [*states, job.activations]))} "
        f"= {size(states.total + job.activations)}",
    ]


def _step_formulas(job: Job) -> list[str]:
    """Write what a step sends and how long it takes."""
    n, moves = job.workers, SHARED["moves"][job.sharding]
    each, weights = job.bytes["gradient"], count(job.sizes["weights"])
    operations = SHARED["operations"]["again" if job.checkpointing else "once"]
    computing, sending = time(job.computing), time(job.sending)
    plain, longer = job.computing + job.sending, max(job.computing, job.sending)
    return [
        f"{moves} · ({n} − 1)/{n} · {weights} weights · {each} B = {size(job.sent)}",
        f"{n} workers · {size(job.sent)} = {size(n * job.sent)}",
        f"{operations} · {weights} weights · {_tokens(job)} "
        f"/ {count(job.speed * TRILLION)} a second = {computing}",
        f"{moves} · ({n} − 1) · ({time(SHARED['latency'])} + {size(job.gradient_bytes)} / {n} "
        f"/ {size(job.link * GIGABIT)} a second) = {sending}",
        f"{computing} + {sending} = {time(plain)}",
        f"the longer of {computing} and {sending} = {time(longer)}",
        f"{computing} / {time(plain)} = {percent(100 * job.computing / plain)}",
        f"{computing} / {time(longer)} = {percent(100 * job.computing / longer)}",
    ]


def _tokens(job: Job) -> str:
    """Write the tokens of a worker: a batch over the workers."""
    return f"{job.batch_tokens} tokens / {job.workers} workers"
