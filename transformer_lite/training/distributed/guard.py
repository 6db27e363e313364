"""The end of a worker: not before its work is reported, and never after its parent.

torchrun stops its workers when it ends. When it is killed itself it cannot, and its workers would
wait for each other for ever. This file imports nothing heavy, so that it can watch from the start.

Where forks are safe, torchrun imports for all: its workers begin as copies of it. A process that
uses GPUs cannot be copied.
"""

from __future__ import annotations

import atexit
import importlib
import os
import runpy
import socket
import sys
import threading
import time
from pathlib import Path

LAUNCHER = "TRANSFORMER_LITE_LAUNCHER"  # holds the id of the process that has started torchrun
# By number: a system without /etc/hosts does not know the name "localhost".
LOOPBACK = "127.0.0.1"
RENDEZVOUS_SECONDS = 15  # seconds in which the workers of one machine have to find each other
SECONDS = 0.2  # between two looks


def exit_with_parent(parent: int | None = None) -> None:
    """End this process as soon as its parent has ended, whatever it is waiting for.

    Args:
        parent: the id of the parent; None takes the current one.
    """
    expected = os.getppid() if parent is None else parent

    def watch() -> None:
        while os.getppid() == expected:
            time.sleep(SECONDS)
        os._exit(1)  # the main thread may hang in an exchange that never ends

    threading.Thread(target=watch, name="exit with parent", daemon=True).start()


def wait_for_threads_at_exit() -> None:
    """Let PyTorch's threads finish before Python ends.

    Such a thread releases its last tensors a little later than the main thread continues, and needs
    Python for that. If Python ends first, it aborts the process, and torchrun takes a finished
    worker for a dead one.
    """
    atexit.register(time.sleep, SECONDS)


def work(module: bool, program: str, *arguments: str) -> None:
    """Run a program, as ``python program`` or ``python -m program`` does, in a forked worker."""
    sys.argv = [program, *arguments]
    sys.path.insert(0, os.getcwd() if module else str(Path(program).resolve().parent))
    try:
        if module:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        if end.code:  # without one it has ended well, which torchrun hears from a return alone
            raise


def torchrun(arguments: list[str]) -> None:
    """Run torchrun. Workers without GPUs are forks of this process, so they need not import again.

    Args:
        arguments: its command line.
    """
    import torch
    from torch.distributed import run
    from torch.distributed.elastic.rendezvous import RendezvousConnectionError
    from torch.distributed.launcher.api import elastic_launch

    given = run.parse_args(arguments)
    socket.getfqdn = lambda name="": LOOPBACK  # torchrun asks often, and an answer may take 20 s
    if sys.platform != "linux" or torch.cuda.device_count() >= int(given.nproc_per_node):
        run.run(given)
        return
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # for all workers: NCCL lets no two share a GPU
    for needed in ("torch._dynamo", "transformer_lite.training.distributed"):
        importlib.import_module(needed)  # every optimizer imports the first
    config, _, _ = run.config_from_args(given)
    config.start_method = "fork"
    program = given.module, given.training_script, *given.training_script_args
    try:
        elastic_launch(config, entrypoint=work)(*program)
    except RendezvousConnectionError as error:
        reason = str(error.__cause__).partition("\n")[0]
        sys.exit(
            f"The workers cannot meet at {LOOPBACK}: {reason} "
            "See that the loopback interface is up, as after: ip link set lo up"
        )


if __name__ == "__main__":  # python guard.py …: torchrun, which ends with who has started it
    exit_with_parent(int(os.environ[LAUNCHER]))
    sys.path.pop(0)  # the folder of this file must not be imported from
    torchrun(sys.argv[1:])
