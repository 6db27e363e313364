"""Compare the workbench's engine with PyTorch: the same training step, in turns, on one core.

The engine runs under node, with matrix products in WebAssembly and in plain JavaScript. A step is
what a reader waits for: drawing a batch, computing the loss and its gradients, and updating the
weights.
"""

import json
import statistics
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack

import torch
from peers import report, rounded

from lessons import FOLDER
from lessons.kit.races import TASKS, Machine, Options, RandomNumbers, batch_of

ENGINE = f"{FOLDER}/kit/engine/"
STEPS, ROUNDS = 40, 15
# Answers each input line with the milliseconds of STEPS steps.
SERVER = """
const { assemble, fastMachine, initialize, adam } = await import(`${process.argv[1]}machine.js`);
const { plainMemory } = await import(`${process.argv[1]}matrix.js`);
const { randomNumbers } = await import(`${process.argv[1]}random.js`);
const { TASKS, batchOf } = await import(`${process.argv[1]}tasks.js`);
const { WHOLE } = await import(`${process.argv[1]}training.js`);
const { createInterface } = await import("node:readline");
const task = TASKS.induction;
const config = { ...WHOLE, vocabulary: task.alphabet.length, length: task.length };
const machine = process.argv[2] === "wasm"
  ? fastMachine(config, 16)
  : assemble(plainMemory(Float32Array), config, 16);
initialize(machine, randomNumbers(1), 1);
const [update, random] = [adam(machine), randomNumbers(2)];
createInterface({ input: process.stdin }).on("line", (steps) => {
  const start = performance.now();
  for (let i = 0; i < Number(steps); i += 1) {
    const { ids, targets, counted } = batchOf(task, random, 16, false);
    machine.lossAndGradients(ids, targets, counted, task.length);
    update(0.003, 0);
  }
  console.log(JSON.stringify(performance.now() - start));
});
"""


def torch_steps() -> Callable[[int], float]:
    """Return a function that runs some steps of PyTorch and returns their milliseconds."""
    task, options = TASKS["induction"], Options()
    machine, random = Machine(task, options), RandomNumbers(2)
    machine.initialize()
    optimizer = torch.optim.AdamW(machine.parameters(), lr=0.003, weight_decay=0.0)

    def run(steps: int) -> float:
        start = time.perf_counter()
        for _ in range(steps):
            loss = machine.loss(*batch_of(task, random, options.batch, held_out=False))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return 1000 * (time.perf_counter() - start)

    return run


def engine_steps(name: str, processes: ExitStack) -> Callable[[int], float]:
    """Return the same for one form of the engine, in a process of its own."""
    command = ["node", "--input-type=module", "--eval", SERVER, ENGINE, name]
    node = processes.enter_context(
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
    )
    asking, answering = node.stdin, node.stdout
    assert asking is not None and answering is not None
    processes.callback(asking.close)

    def run(steps: int) -> float:
        asking.write(f"{steps}\n")
        return float(json.loads(answering.readline()))

    return run


def main() -> None:
    torch.set_num_threads(1)
    with ExitStack() as processes:
        ways = {"PyTorch": torch_steps()}
        for name, engine in {"WebAssembly": "wasm", "plain": "plain"}.items():
            ways[name] = engine_steps(engine, processes)
        for run in ways.values():
            run(STEPS)  # warm-up
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, run in ways.items():
                times[name].append(run(STEPS) / STEPS)
    rows = []
    for name, took in times.items():
        ratios = [ours / theirs for ours, theirs in zip(took, times["PyTorch"], strict=True)]
        rows.append({
            "engine": name,
            "ms a step": rounded(statistics.median(took)),
            "steps a second": rounded(1000 / statistics.median(took)),
            "of PyTorch's time": rounded(statistics.median(ratios)),
        })  # fmt: skip
    note = "Two layers of width 32, 15 tokens, batch 16, float32. Ratios are taken in each round."
    report("workbench", "A training step of the workbench", rows, note)


if __name__ == "__main__":
    main()
