"""Run the missing points of an experiment, or list all experiments without a name."""

from __future__ import annotations

import argparse
import os

from lessons.kit.experiments.experiment import find, names
from lessons.kit.experiments.sweep import sweep


def main(arguments: list[str] | None = None) -> None:
    """List the experiments, or run some."""
    parser = argparse.ArgumentParser(prog="python -m lessons.kit.experiments")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an experiment to run")
    parser.add_argument("--missing", action="store_true", help="run all that are not complete")
    parser.add_argument(
        "--workers", type=int, default=cores(), help="points at a time (%(default)s)"
    )
    parser.add_argument("--device", help="for experiments that can choose: cpu, cuda, …")
    given = parser.parse_args(arguments)
    os.environ["OMP_NUM_THREADS"] = "1"  # for the worker processes
    for experiment in map(find, given.names or names()):
        if given.names or (given.missing and experiment.state() != "complete"):
            print(f"{experiment.module.__name__}:", flush=True)
            sweep(experiment, given.workers, given.device)
        seconds = sum(point["seconds"] for point in experiment.points)
        print(
            f"{experiment.source.parts[-3]}/{experiment.source.stem:<24} "
            f"{experiment.state():<16} {seconds / 60:.1f} min"
        )


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    main()
