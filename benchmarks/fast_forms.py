"""Measure what each file of transformer_lite/fast saves against the plain form that it equals."""

import statistics
from collections.abc import Callable

import torch
import torch.nn.functional as F
from peers import VOCABULARY, Times, alternate, report, rounded
from peers.machines import Machine, machines
from torch import Tensor

from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.fast.top import argmax, topk
from transformer_lite.layers.dropout import dropout

LENGTH, ROUNDS = 32, 7


def row(name: str, size: int, runs: dict[str, Callable], per: int = 1) -> dict:
    """Return the times of the plain form and of the fast one, and their ratio."""
    times = alternate(runs, ROUNDS)
    plain, fast = times["plain"], times["fast"]
    middle, low, high = fast.times_faster(plain)
    return {
        "what": name,
        "batch": size,
        "plain, ms": _typical(plain, per),
        "fast, ms": _typical(fast, per),
        "times faster": middle,
        "quartiles": f"{low} to {high}",
    }


def _typical(times: Times, per: int) -> float:
    return rounded(statistics.median(times.counted) / per)


def steps(machine: Machine, size: int, beams: int) -> dict[str, Callable]:
    """Return decoding in the plain form and in the fast one."""
    write = machine.runs(size, LENGTH, beams)["ours"]

    def plainly() -> Tensor:
        with fast_steps_disabled():
            return write()

    return {"plain": plainly, "fast": write}


def both(plain: Callable, fast: Callable, x: Tensor) -> dict[str, Callable]:
    """Return calls of both forms with the same input."""
    return {"plain": lambda: plain(x), "fast": lambda: fast(x)}


def main() -> None:
    torch.manual_seed(6)
    torch.set_num_threads(1)
    rows = [
        row(f"decoding_step, {machine.name}, {name}", size, steps(machine, size, beams), LENGTH)
        for machine in machines()
        for name, beams, size in (("greedy", 1, 1), ("greedy", 1, 32), ("beam 4", 4, 8))
    ]
    with torch.inference_mode():
        for size in (8, 128):
            logits = torch.randn(size, VOCABULARY)
            rows += [
                row(
                    "top, 4 of 8000", size, both(lambda x: x.topk(4), lambda x: topk(x, 4), logits)
                ),
                row("top, argmax of 8000", size, both(lambda x: x.argmax(-1), argmax, logits)),
            ]
    x = torch.randn(1024, 1024)
    forms = both(lambda x: F.dropout(x, 0.1), lambda x: dropout(x, 0.1, training=True), x)
    rows.append(row("dropout of 1024 · 1024", 1024, forms))
    note = "Milliseconds of processor time, one thread: per token for decoding, else per call. "
    note += f"Medians of {ROUNDS} rounds in turn; the ratio with its quartiles."
    report("fast_forms", "What the fast forms save", rows, note)


if __name__ == "__main__":
    main()
