"""Start workers from Python: run PyTorch's torchrun in a process of its own, with a time limit."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from transformer_lite.checks import check_number, check_size
from transformer_lite.training.distributed import guard

GRACE = 10.0  # seconds that torchrun gets to stop its workers


def launch(
    workers: int,
    module: str,
    *arguments: str,
    seconds: float = 600.0,
    restarts: int = 0,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a module in several workers on this machine, as torchrun does from a terminal.

    ``torchrun --standalone --nproc-per-node WORKERS -m MODULE …``. The workers meet on a port that
    is free, over the loopback: no network and no name of the machine is needed, and two launches
    do not meet. Workers that cannot meet end within 20 seconds and print why. Each computes with
    one thread unless ``OMP_NUM_THREADS`` says something else. On Linux they are forks of
    torchrun, so that PyTorch is imported once for all.

    Args:
        workers: how many processes.
        module: what each runs, as ``python -m`` would; or the path of a file, ending in ``.py``.
        arguments: its command line.
        seconds: the time limit, after which all of them are ended.
        restarts: how often all start again after one of them has died.
        environment: more variables for the workers.

    Returns:
        The exit status, 0 when all workers ended well, and what they printed, in `stdout`.

    Raises:
        TypeError, ValueError: a number is of the wrong type, or out of range.
        subprocess.TimeoutExpired: they took longer than `seconds`; none is left then.
    """
    check_size("workers", workers)
    check_size("restarts", restarts, minimum=0)
    check_number("seconds", seconds)
    what = [module] if module.endswith(".py") else ["-m", module]
    command = [
        sys.executable, guard.__file__, "--rdzv-backend=c10d",
        f"--rdzv-endpoint={guard.LOOPBACK}:0", f"--local-addr={guard.LOOPBACK}",
        f"--rdzv-conf=is_host=1,read_timeout={guard.RENDEZVOUS_SECONDS}",
        f"--nproc-per-node={workers}",
        f"--max-restarts={restarts}", *what, *arguments,
    ]  # fmt: skip
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env=_variables(environment or {})
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            output.seek(0)
            late = subprocess.TimeoutExpired(command, seconds, output.read())
            late.add_note(f"They printed: {late.output[-2000:]}")
            raise late from error
        finally:
            _stop(process)
        output.seek(0)
        return subprocess.CompletedProcess(command, status, output.read())


def _variables(more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of torchrun and of its workers."""
    here = {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1", "TORCH_CPP_LOG_LEVEL": "ERROR"}
    root = str(Path(guard.__file__).parents[3])
    merged = here | dict(os.environ) | dict(more)
    paths = [root, *filter(None, [merged.get("PYTHONPATH")])]
    fixed = {guard.LAUNCHER: str(os.getpid()), "PYTHONPATH": os.pathsep.join(paths)}
    return merged | fixed


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End torchrun, if it still runs; it takes its workers along."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()  # the workers see it, and end by themselves
            process.wait()
