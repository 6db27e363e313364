"""Measure what each part of a step costs: one token of decoding, and one step of training.

Three machines of one size take part: the translator, a GPT-2 and a decoder like Llama, each from
this package and from its peer. Every operation that PyTorch runs is timed by itself, in processor
time of the one thread that computes, so other programs on the machine disturb it little. What
remains of the time of a whole step is Python, and PyTorch's way to the operations.
"""

import collections
import time
from collections.abc import Callable
from typing import Any

import torch
from peers import ON_GPU, VOCABULARY, report, rounded
from peers.machines import machines
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: PLC2701 # it has no other name
from training import training_runs

BATCH, LENGTH, STEPS, RUNS = 8, 16, 1, 2
KINDS = {
    "attention": ("scaled_dot_product",),
    "norm, activation, dropout": (
        *("layer_norm", "rms_norm", "relu", "gelu", "silu", "threshold", "dropout", "bernoulli"),
        *("rand", "where", "native_group_norm", "rsqrt", "pow", "mean", "clamp_min"),
    ),
    "loss or search": ("softmax", "nll_loss", "topk", "argmax", "amax", "max", "gather", "sort"),
    "optimizer": ("_foreach", "_fused_adam", "linalg_vector_norm"),
    "copies": ("copy", "cat", "index", "clone", "embedding", "repeat", "stack"),
}
PRODUCTS = ("linear", "matmul", "mm", "addmm", "bmm", "baddbmm", "mv", "addmv")


class Costs(TorchDispatchMode):
    """Add up the processor time of each kind of operation."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: dict[str, float] = collections.defaultdict(float)
        self.calls = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        start = time.thread_time_ns()
        result = func(*args, **(kwargs or {}))
        spent = time.thread_time_ns() - start
        self.spent[self._kind(func.overloadpacket.__name__, args)] += spent / 1e6
        self.calls += 1
        return result

    def _kind(self, name: str, args: Any) -> str:
        if name.removesuffix("_") in PRODUCTS:
            shapes = [x.shape for x in args if isinstance(x, Tensor)]
            large = any(VOCABULARY in shape for shape in shapes)
            return "product with the vocabulary" if large else "other products"
        found = (kind for kind, parts in KINDS.items() if any(part in name for part in parts))
        return next(found, "other operations")


def costs(run: Callable[[], object], steps: int) -> dict[str, float]:
    """Return the milliseconds of each kind of operation in one step, and of Python around them."""
    run()
    wholes, kinds = [], []
    for _ in range(RUNS):
        start = time.thread_time()
        run()
        wholes.append(1000 * (time.thread_time() - start) / steps)
        with Costs() as measured:
            run()
        kinds.append({kind: ms / steps for kind, ms in measured.spent.items()})
    # The run that was disturbed least.
    best = min(kinds, key=lambda spent: sum(spent.values()))
    whole = min(wholes)
    names = ["product with the vocabulary", "other products", *KINDS, "other operations"]
    row = {name: rounded(best.get(name, 0.0)) for name in names}
    row["Python between them"] = rounded(max(0.0, whole - sum(best.values())))
    return row | {"whole step": rounded(whole), "operations": round(measured.calls / steps)}


def main() -> None:
    torch.set_num_threads(1)
    if ON_GPU:
        print("Processor time says nothing about a GPU; benchmarks/on_a_gpu.sh times whole steps.")
        return
    torch.manual_seed(6)
    steps = {
        f"one token of {BATCH} texts, {machine.name}": (machine.runs(BATCH, LENGTH, 1), LENGTH)
        for machine in machines()
    } | {
        f"one step of training, {name}": (runs, STEPS)
        for name, runs in training_runs(STEPS).items()
    }
    rows = [
        {"step": step, "form": form} | costs(run, count)
        for step, (runs, count) in steps.items()
        for form, run in runs.items()
    ]
    note = "Milliseconds of processor time, one thread: the least disturbed of two runs."
    report("step_costs", "What each part of a step costs", rows, note)


if __name__ == "__main__":
    main()
