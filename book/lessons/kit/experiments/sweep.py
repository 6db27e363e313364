"""Compute the points of an experiment in parallel."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from lessons.kit.experiments.experiment import Experiment, Settings
from transformer_lite.training.terminal import TerminalBar


def measure(module: str, settings: Settings, device: str | None) -> dict[str, Any]:
    """Compute one point of the experiment that a module declares, in a worker process."""
    return Experiment(import_module(module)).measure(settings, device)


def sweep(experiment: Experiment, workers: int, device: str | None = None) -> None:
    """Compute the missing points in parallel, and write each as soon as it is done.

    Raises:
        ExceptionGroup: the errors of points, each with its settings; all other points are written.
    """
    points = experiment.valid()
    experiment.write(points)
    known = [point["settings"] for point in points]
    todo = [settings for settings in experiment.all_settings() if settings not in known]
    bar = TerminalBar(len(known), len(known) + len(todo), unit="points")
    errors: list[BaseException] = []
    module = experiment.module.__name__
    # Spawned, since CUDA does not work after a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool, ExitStack() as stop:
        # After an interrupt, the running points are finished.
        stop.callback(pool.shutdown, wait=False, cancel_futures=True)
        futures = {pool.submit(measure, module, one, device): one for one in todo}
        for future in as_completed(futures):
            label = ", ".join(f"{name} {value}" for name, value in futures[future].items())
            if error := future.exception():
                error.add_note(f"at {label}")
                errors.append(error)
                continue
            points.append(future.result())
            experiment.write(points)
            lost = [name for name, value in points[-1]["results"].items() if "None" in repr(value)]
            if lost:
                bar.note(f"{label}: {', '.join(lost)} is not finite and is written as null")
            bar.show(len(points), label)
    bar.close()
    if errors:
        raise BaseExceptionGroup(f"{len(errors)} points of {module} failed", errors)
