"""Run the chapters that changed, one a core, and keep what they show for the build of the book.

Jupyter Book would run them one after the other. It looks into the same cache, and finds them there.
A chapter that fails names its cell, and the others go on.

Usage: python .ci/run_chapters.py [FOLDER]: where the book is built, `_build` by itself
"""

import asyncio
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.main import JupyterCacheBase
from kernels import fork_kernels
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[1]
# Kernels with several threads each would wait for one another; the chapters' tensors are small.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
MOST = 8  # kernels at a time: each may take a gigabyte


@dataclass
class Board:
    """What runs and what is left, on one line of a terminal that is drawn again.

    Args:
        total: how many chapters there are to run.
    """

    total: int
    done: int = 0
    running: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def shows(self, name: str, cell: int, cells: int) -> None:
        """Note which cell a chapter has reached."""
        self.running[name] = f"{name} (cell {cell} of {cells})"
        if sys.stdout.isatty():
            took = time.monotonic() - self.began
            line = f"{self.done} of {self.total} chapters, {took:.0f} s; now "
            print("\r\x1b[K" + line + ", ".join(self.running.values()), end="", flush=True)

    def ends(self, name: str, words: str, more: str = "") -> None:
        """Note that a chapter has ended, and how, in a line and more of them below it."""
        self.running.pop(name, None)
        self.done += 1
        clear = "\r\x1b[K" if sys.stdout.isatty() else ""
        left = self.total - self.done
        print(f"{clear}  {name:<32} {words}; {left} left{more}", flush=True)


def chapters() -> list[Path]:
    """Return the chapters, the last first: they are the longest."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"), reverse=True)


def changed(paths: list[Path], cache: JupyterCacheBase) -> dict[Path, NotebookNode]:
    """Return the notebooks whose code the cache does not have."""
    found = {}
    for path in paths:
        notebook = nbformat.read(path, 4)
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            found[path] = notebook
    return found


def seconds_a_cell() -> int:
    """Return how long a cell may take, as the build itself would allow."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return config["execute"]["timeout"]


async def run(path: Path, notebook: NotebookNode, board: Board, folder: str) -> tuple[str, str]:
    """Run a chapter, its outputs put into the notebook; return what went wrong, short and long.

    Its kernel is spoken to through sockets in the folder: two kernels cannot take the same port
    there, and no other user can listen. What it says of itself goes into a file there: a kernel
    that is ended complains now and then that its sockets are closed.
    """
    at, cells = 0, len(notebook.cells)

    def reached(cell: NotebookNode, cell_index: int) -> None:
        nonlocal at
        at = cell_index + 1
        board.shows(path.stem, at, cells)

    client = NotebookClient(
        notebook,
        config=Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/{path.stem}"}}),
        timeout=seconds_a_cell(),
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        on_cell_start=reached,
    )
    with Path(folder, f"{path.stem}.log").open("w+", encoding="utf-8") as log:
        try:
            await client.async_execute(stderr=log)
        except (CellExecutionError, CellTimeoutError) as error:
            return f"FAILED in cell {at} of {cells}", f"\n\n{error}\n"
        except RuntimeError as error:  # no kernel came, or it died: what it said last tells why
            log.seek(0)
            return f"FAILED in cell {at} of {cells}", f"\n\n{error}\n{log.read()[-2000:]}\n"
    return "", ""


async def run_all(
    notebooks: dict[Path, NotebookNode], cache: JupyterCacheBase, folder: str
) -> list[str]:
    """Run notebooks, as many at a time as there are cores; return the names of those that fail."""
    board, failed = Board(len(notebooks)), []
    core = asyncio.Semaphore(min(len(os.sched_getaffinity(0)), MOST))

    async def one(path: Path, notebook: NotebookNode) -> None:
        async with core:
            start = time.monotonic()
            wrong, more = await run(path, notebook, board, folder)
            took = time.monotonic() - start
            board.ends(path.stem, wrong or f"{took:.0f} s", more)
        if wrong:
            failed.append(path.stem)
        else:
            bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": took})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)

    await asyncio.gather(*(one(path, notebook) for path, notebook in notebooks.items()))
    return sorted(failed)


def main(build: Path) -> int:
    """Run what the cache lacks; return 1 if a chapter failed."""
    cache = get_cache(build / ".jupyter_cache")
    notebooks = changed(chapters(), cache)
    if not notebooks:
        return 0
    print(f"Running {len(notebooks)} chapters. Those that do not change later need not run again.")
    os.environ.update(ONE_THREAD)
    fork_kernels()
    with TemporaryDirectory() as folder:
        failed = asyncio.run(run_all(notebooks, cache, folder))
    if failed:
        print(f"Failed: {', '.join(failed)}. The other chapters are kept.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "_build"))
