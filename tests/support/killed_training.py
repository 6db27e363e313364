"""Train once undisturbed, and once killed again and again: killed_training.py FOLDER KILLS.

One process imports PyTorch; each training is a fork of it, which makes its own trainer and tells
every step through a pipe. It is killed a random time after a random step.
"""

import os
import random
import select
import signal
import sys
import time
from pathlib import Path

import torch
from tiny_training import real_trainer

from transformer_lite.training import Plan, Record, load_checkpoint, read_checkpoint, train
from transformer_lite.training.long_run import CHECKPOINT

EVERY = 3


def go_on(path: Path, told: int, steps: int) -> None:
    """Train to the end from the last checkpoint, and report each step before it is taken."""
    trainer = real_trainer()
    if path.exists():
        load_checkpoint(trainer, path)
    take_step = trainer.train_step

    def report_and_step() -> Record:
        os.write(told, bytes([trainer.step]))
        return take_step()

    trainer.train_step = report_and_step
    train(trainer, path.parent, Plan(steps, EVERY))


def start(path: Path, steps: int) -> tuple[int, int]:
    """Start a training in a process of its own; return its id and the pipe with its reports."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        go_on(path, write, steps)
        os._exit(0)
    os.close(write)
    return child, read


def kill_at_random(child: int, steps: int, told: int, after: float) -> int:
    """Kill a training some seconds after it reported so many steps; return the last step."""
    last = [os.read(told, 1) for _ in range(steps)][-1]
    end = time.monotonic() + after
    while (left := end - time.monotonic()) > 0:
        if select.select([told], [], [], left)[0]:
            last = os.read(told, 1)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it ended before it was killed"
    while more := os.read(told, 1):
        last = more
    os.close(told)
    return last[0]


def finish(path: Path, steps: int) -> None:
    child, told = start(path, steps)
    while os.read(told, 1):
        pass
    os.close(told)
    assert os.waitpid(child, 0)[1] == 0


def main() -> None:
    torch.set_num_threads(1)
    real_trainer().train_step()  # what PyTorch loads late, it loads once for all forks
    folder, kills = Path(sys.argv[1]), int(sys.argv[2])
    steps = 100 + 6 * kills  # on a busy machine a kill comes late: many come after the last
    finish(folder / "whole" / CHECKPOINT, steps)
    path, rng = folder / "killed" / CHECKPOINT, random.Random(6)
    for _ in range(kills):
        child, told = start(path, steps)
        reached = kill_at_random(child, rng.randint(1, 6), told, rng.random() * 0.005)
        kept = read_checkpoint(path)["step"] if path.exists() else 0
        assert reached - EVERY <= kept <= reached + 1, f"reached {reached}, kept {kept}"
    finish(path, steps)
    print(f"{kills} kills")


if __name__ == "__main__":
    main()
