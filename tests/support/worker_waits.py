"""Wait for ever in an exchange that one worker never joins: worker_waits.py FOLDER."""

import os
import sys
import time
from pathlib import Path

from transformer_lite.training.distributed import Workers

if __name__ == "__main__":
    workers = Workers.current()
    parent = os.getppid()
    (Path(sys.argv[1]) / f"{os.getpid()}.{parent}").touch()
    if workers.first:
        time.sleep(1000)
    workers.wait()
