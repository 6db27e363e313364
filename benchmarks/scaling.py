"""How much faster several workers train than one: tokens a second, and the share of the ideal.

Each worker computes with one thread. The batch of all is the same for any number of workers
(strong scaling), or each has a batch of that size (weak scaling). Run alone on a quiet machine:
``python benchmarks/scaling.py``. On GPUs each worker has one; not run there so far.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import torch
from peers import VOCABULARY, ours, report, rounded

from transformer_lite.text import Batch
from transformer_lite.training.costs import memory_by_sharding
from transformer_lite.training.distributed import (
    WorkerBatches,
    Workers,
    WorkerTrainer,
    ddp,
    fsdp,
    launch,
)

ROWS, LENGTH, WARM_UP, STEPS = 16, 32, 2, 10
STRATEGIES = {"ddp": ddp, "fsdp": fsdp}


class SameBatch:
    """One batch of random tokens, again and again."""

    def __init__(self, rows: int) -> None:
        generator = torch.Generator().manual_seed(6)
        shape = (rows, LENGTH + 1)
        self.batch = Batch(
            torch.randint(3, VOCABULARY, (rows, LENGTH), generator=generator),
            torch.randint(3, VOCABULARY, shape, generator=generator),
        )

    def __iter__(self) -> "SameBatch":
        return self

    def __next__(self) -> Batch:
        return self.batch

    def state_dict(self) -> dict[str, int]:
        return {"rows": len(self.batch.src)}

    def load_state_dict(self, state: dict[str, int]) -> None: ...


def seconds_of_a_step(strategy: str, rows: int, workers: Workers) -> tuple[float, int]:
    """The median seconds of a step of all workers, and the model's weights."""
    torch.manual_seed(6)
    model = ours(tied=True).to(workers.device)
    weights = sum(p.numel() for p in model.parameters())
    batches = WorkerBatches(SameBatch(rows), workers)
    trainer = WorkerTrainer(STRATEGIES[strategy](model, workers), batches)
    times = []
    for _ in range(WARM_UP + STEPS):
        workers.wait()
        start = time.perf_counter()
        trainer.train_step()
        workers.wait()
        times.append(time.perf_counter() - start)
    return statistics.median(times[WARM_UP:]), weights


def as_worker(file: Path) -> None:
    """Measure with the workers that torchrun has started; the first one writes."""
    workers = Workers.current()
    if workers.device.type == "cpu":
        torch.set_num_threads(1)
    found = [
        (strategy, rows, *seconds_of_a_step(strategy, rows, workers))
        for strategy in STRATEGIES
        for rows in sorted({ROWS, ROWS * workers.world_size})
    ]
    if workers.first:
        file.write_text(json.dumps(found))
    workers.leave()


def measured(count: int) -> list[tuple[str, int, float, int]]:
    """Launch so many workers; return strategy, rows, seconds of a step and weights."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        done = launch(count, __file__, str(file))
        if done.returncode:
            sys.exit(done.stdout)
        return [tuple(row) for row in json.loads(file.read_text())]


def main() -> None:
    cores = torch.cuda.device_count() or os.cpu_count() or 1
    counts = [count for count in (1, 2, 4, 8) if count <= cores]
    found = {count: measured(count) for count in counts}
    alone = {strategy: ROWS * LENGTH / seconds for strategy, _, seconds, _ in found[1]}
    rows = []
    for count, runs in found.items():
        for strategy, size, seconds, weights in runs:
            rate = size * LENGTH / seconds
            level = {"ddp": "ddp", "fsdp": "zero3"}[strategy]
            rows.append({
                "strategy": strategy,
                "workers": count,
                "rows of all": size,
                "median ms": rounded(1000 * seconds),
                "target tokens/s": rounded(rate),
                "times one worker": round(rate / alone[strategy], 2),
                "efficiency": round(rate / alone[strategy] / count, 2),
                "MB kept by one": rounded(memory_by_sharding(weights, count, level).total / 1e6),
            })  # fmt: skip
    note = (
        f"{weights:,} weights, one thread a worker. Rows of all that do not grow with the workers: "
        "strong scaling; rows that grow: weak. MB: weights, gradients, moments by formula."
    )
    report("scaling", f"Training by workers, {LENGTH} tokens a row", rows, note)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        as_worker(Path(sys.argv[1]))
    else:
        main()
