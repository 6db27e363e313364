"""Train by the command, one worker killed in the middle, then undisturbed.

worker_killed.py FOLDER and the command line. torchrun starts all workers anew after the kill, with
the same arguments. The first worker writes every step that it takes into FOLDER/steps.txt.
"""

import os
import signal
import sys
from pathlib import Path

from lessons.trained import train
from transformer_lite.training.distributed import WorkerTrainer

KILLED_AT = 6  # the step that is not taken any more
RESTARTS = int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))
take_step = WorkerTrainer.train_step


def report_and_step(trainer: WorkerTrainer):
    if RESTARTS == 0 and trainer.step + 1 == KILLED_AT and trainer.workers.rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    record = take_step(trainer)
    if trainer.workers.first:
        with open(Path(sys.argv[1]) / "steps.txt", "a") as file:
            print(RESTARTS, trainer.batches.state_dict()["epoch"], *record, file=file)
    return record


if __name__ == "__main__":
    WorkerTrainer.train_step = report_and_step  # type: ignore[assignment]
    for name in ("killed", "whole"):
        status = train.main([*sys.argv[2:], "--out", str(Path(sys.argv[1]) / name)])
        if status != 0:
            sys.exit(status)
