"""How a worker ends: not before its work is told of, and never after who has started it.

torchrun stops its workers when it ends. When it is killed itself it cannot, and its workers would
wait for each other for ever. This file imports nothing heavy, so that it can watch from the start.
"""

from __future__ import annotations

import atexit
import os
import threading
import time

LAUNCHER = "TRANSFORMER_LITE_LAUNCHER"  # holds the id of the process that has started torchrun
SECONDS = 0.2  # between two looks


def end_with_parent(parent: int | None = None) -> None:
    """End this process as soon as its parent has ended, whatever it waits for then.

    Args:
        parent: the id of the parent; None takes that of now.
    """
    expected = os.getppid() if parent is None else parent

    def watch() -> None:
        while os.getppid() == expected:
            time.sleep(SECONDS)
        os._exit(1)  # the main thread may hang in an exchange that never ends

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


def end_in_order() -> None:
    """Let PyTorch's threads finish before Python ends.

    Such a thread lets go of the last tensors that it has exchanged a little later than the main
    thread goes on, and needs Python for it. Where Python ends first, it aborts the process, and
    torchrun takes a worker whose work is done for one that has died.
    """
    atexit.register(time.sleep, SECONDS)


if __name__ == "__main__":  # python guard.py …: torchrun, which ends with who has started it
    end_with_parent(int(os.environ[LAUNCHER]))
    from torch.distributed.run import main

    main()
