"""All points of an experiment, many at a time."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from lessons.kit.experiments.experiment import Experiment, Settings
from transformer_lite.training.terminal import TerminalBar


def measure(module: str, settings: Settings, device: str | None) -> dict[str, Any]:
    """Compute one point of the experiment that a module declares; runs in a process of its own."""
    return Experiment(import_module(module)).measure(settings, device)


def sweep(experiment: Experiment, workers: int, device: str | None = None) -> None:
    """Compute the points that the record lacks, many at a time, and write each at once.

    Raises:
        ExceptionGroup: what points raised, each with its settings; all others are written.
    """
    points = experiment.valid()
    experiment.write(points)
    known = [point["settings"] for point in points]
    todo = [settings for settings in experiment.all_settings() if settings not in known]
    bar = TerminalBar(len(known), len(known) + len(todo), unit="points")
    errors: list[BaseException] = []
    module = experiment.module.__name__
    # Spawned, since CUDA does not outlive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool, ExitStack() as stop:
        # Interrupted, it ends with the points under way.
        stop.callback(pool.shutdown, wait=False, cancel_futures=True)
        futures = {pool.submit(measure, module, one, device): one for one in todo}
        for future in as_completed(futures):
            told = ", ".join(f"{name} {value}" for name, value in futures[future].items())
            if error := future.exception():
                error.add_note(f"at {told}")
                errors.append(error)
                continue
            points.append(future.result())
            experiment.write(points)
            lost = [name for name, value in points[-1]["results"].items() if "None" in repr(value)]
            if lost:
                bar.note(f"{told}: {', '.join(lost)} is not finite and is written as null")
            bar.show(len(points), told)
    bar.close()
    if errors:
        raise BaseExceptionGroup(f"{len(errors)} points of {module} failed", errors)
