"""What PyTorch computes for the workbench's machines, for engine.test.mjs to compare with."""

from collections.abc import Iterator
from dataclasses import asdict, replace

import torch
from allpairspy import AllPairs

from lessons.kit.races import TASKS, Machine, Options, RandomNumbers, Task, batch_of, train

# Every switch of the page. AllPairs makes any two values of two switches occur together.
SWITCHES = {
    "layers": [1, 2, 3],
    "heads": [1, 3],
    "head_width": [4, 6],
    "positions": ["learned", "sinusoidal", "rotary", "none"],
    "causal": [True, False],
    "scaled": [True, False],
    "residual": [True, False],
    "norm": ["layer", "rms", "none"],
    "place": ["pre", "post"],
    "attention": [True, False],
    "feed_forward": [True, False],
    "size": [1.0, 0.5],
}
SMALL = Options(width=10, hidden=14, batch=3)
TASK = Task(vocabulary=7, length=5, draw=TASKS["copy"].draw)


def in_javascript(options: Options) -> dict:
    """The options by the names of the engine: head_width is headWidth."""
    return {
        "".join([first, *(word.title() for word in rest)]): value
        for name, value in asdict(options).items()
        for first, *rest in [name.split("_")]
    }


def gradient_cases() -> Iterator[dict]:
    generator = torch.Generator().manual_seed(5)
    ids, targets = torch.randint(7, (2, 3, 5), generator=generator)
    counted = torch.rand(3, 5, generator=generator) < 0.6
    counted[1] = False  # a sequence without an answer
    for values in AllPairs(list(SWITCHES.values())):
        options = replace(SMALL, **dict(zip(SWITCHES, values, strict=True)))
        machine = Machine(TASK, options).double()
        machine.initialize()
        loss = machine.loss(ids, targets, counted)
        loss.backward()
        yield {
            "options": in_javascript(options),
            "ids": ids.flatten().tolist(),
            "targets": targets.flatten().tolist(),
            "counted": counted.flatten().int().tolist(),
            "loss": loss.item(),
            "gradients": {
                name: (torch.zeros_like(w) if w.grad is None else w.grad).flatten().tolist()
                for name, w in machine.named_weights()
            },
        }


# Machines that learn steadily. Where the loss jumps, as without a scale at a high rate, the last
# digit of a float32 decides after a few steps, and no two programs agree.
RUNS = [
    ("reverse", {}),
    ("count", {"heads": 1, "head_width": 32, "rate": 0.01}),
    ("recall", {"positions": "rotary", "norm": "rms", "decay": 0.1}),
    ("markov", {"causal": False, "layers": 1}),
    ("sort", {"place": "post", "size": 0.5, "positions": "sinusoidal"}),
    ("addition", {"residual": False, "norm": "none", "layers": 1, "scaled": False}),
    ("induction", {"feed_forward": False, "positions": "none"}),
]


def run_cases() -> Iterator[dict]:
    """The losses of 100 steps, and how well the machine then answers."""
    for task, changes in RUNS:
        options = Options(**changes)
        _, record = train(task, options, 100)
        yield {
            "task": task,
            "options": in_javascript(options),
            "losses": record.losses,
            "heldOut": record.held_out[-1],
            "accuracy": record.accuracy[-1] if record.accuracy else None,
        }


def example_cases() -> dict[str, list]:
    """Held-out examples and examples to train on, of every task."""
    return {
        name: [part.int().flatten().tolist() for held_out in (True, False)
               for part in batch_of(task, RandomNumbers(3), 4, held_out)]
        for name, task in TASKS.items()
    }  # fmt: skip


def workbench_cases() -> dict:
    return {
        "gradients": list(gradient_cases()),
        "runs": list(run_cases()),
        "examples": example_cases(),
        "vocabulary": TASK.vocabulary,
        "length": TASK.length,
    }
