"""Run the chapters that changed, one per core, and cache their outputs for the build of the book.

Jupyter Book would run them one after the other. It reads the same cache and finds them there.
If a chapter fails, the others continue. Its outputs up to that cell are cached too. The build makes
a page from them and does not run the chapter again, but the next call of this script does.
FOLDER/failed.txt, which is printed after the build, lists each chapter that failed, with its cell
and the error. Without a failure there is no such file.

Usage: python .ci/run_chapters.py [FOLDER], the folder of the build, by default `_build`
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
from joblib import cpu_count
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.main import JupyterCacheBase
from kernels import fork_kernels
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbformat import NotebookNode
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[1]
# Kernels with several threads each would compete, and the chapters' tensors are small.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
MAX_KERNELS = 8  # at a time: each may take a gigabyte


@dataclass
class Progress:
    """A progress line in a terminal: which chapters run, and how many are left.

    Args:
        total: the number of chapters to run.
    """

    total: int
    done: int = 0
    running: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def update(self, name: str, cell: int, cells: int) -> None:
        """Show which cell a chapter has reached."""
        self.running[name] = f"{name} (cell {cell} of {cells})"
        if sys.stdout.isatty():
            took = time.monotonic() - self.began
            line = f"{self.done} of {self.total} chapters, {took:.0f} s; now "
            print("\r\x1b[K" + line + ", ".join(self.running.values()), end="", flush=True)

    def finish(self, name: str, result: str, details: str = "") -> None:
        """Print the result of a chapter, and the details below it."""
        self.running.pop(name, None)
        self.done += 1
        clear = "\r\x1b[K" if sys.stdout.isatty() else ""
        left = self.total - self.done
        print(f"{clear}  {name:<32} {result}; {left} left{details}", flush=True)


def chapters() -> list[Path]:
    """Return the chapters, last to first, since the last ones take longest."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"), reverse=True)


def changed(paths: list[Path], cache: JupyterCacheBase) -> dict[Path, NotebookNode]:
    """Return the notebooks that the cache lacks or that failed."""
    found = {}
    for path in paths:
        notebook = nbformat.read(path, 4)
        try:
            failed = "failed" in cache.match_cache_notebook(notebook).data
        except KeyError:
            failed = True
        if failed:
            found[path] = notebook
    return found


def cell_timeout() -> int:
    """Return how many seconds a cell may take, as in the build itself."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return config["execute"]["timeout"]


async def run(
    path: Path, notebook: NotebookNode, progress: Progress, folder: str
) -> tuple[str, str]:
    """Run a chapter and store its outputs in the notebook; return where it failed, and the error.

    Its kernel uses sockets in the folder, so two kernels cannot take the same port and other users
    cannot listen. Its log goes into a file there, because a kernel sometimes complains about
    closed sockets when it is shut down.
    """
    at, cells = 0, len(notebook.cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []  # stored outputs would appear at cells that were never reached

    def reached(cell: NotebookNode, cell_index: int) -> None:
        nonlocal at
        at = cell_index + 1
        progress.update(path.stem, at, cells)

    sockets = {"transport": "ipc", "ip": f"{folder}/{path.stem}"} if os.name == "posix" else {}
    client = NotebookClient(
        notebook,
        config=Config({"KernelManager": sockets}),
        timeout=cell_timeout(),
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        on_cell_start=reached,
    )
    with Path(folder, f"{path.stem}.log").open("w+", encoding="utf-8") as log:
        try:
            await client.async_execute(stderr=log)
            return "", ""
        except CellExecutionError as error:
            more, reason = str(error), f"{error.ename}: {error.evalue}"
        except (CellTimeoutError, RuntimeError) as error:
            # If no kernel started, or it died, the end of its log says why.
            log.seek(0)
            more, reason = f"{error}\n{log.read()[-2000:]}", str(error)
            data = {"ename": type(error).__name__, "evalue": reason, "traceback": [reason]}
            if at:  # otherwise no cell began
                notebook.cells[at - 1].outputs.append(nbformat.v4.new_output("error", **data))
    client.set_widgets_metadata()
    lines = reason.strip().splitlines()
    short = " … ".join(dict.fromkeys([lines[0], lines[-1]]))
    return f"cell {at} of {cells}: {short}", f"\n\n{more}\n"


async def run_all(
    notebooks: dict[Path, NotebookNode], cache: JupyterCacheBase, folder: str
) -> list[str]:
    """Run notebooks, one per core; return a line for each that fails."""
    progress, failed = Progress(len(notebooks)), []
    core = asyncio.Semaphore(min(cpu_count(), MAX_KERNELS))

    async def one(path: Path, notebook: NotebookNode) -> None:
        async with core:
            start = time.monotonic()
            wrong, more = await run(path, notebook, progress, folder)
            took = time.monotonic() - start
            progress.finish(path.stem, f"FAILED in {wrong}" if wrong else f"{took:.0f} s", more)
        data: dict[str, float | str] = {"execution_seconds": took}
        if wrong:
            failed.append(f"{path.stem}, {wrong}")
            data["failed"] = wrong
        bundle = CacheBundleIn(notebook, str(path), data=data)
        cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)

    await asyncio.gather(*(one(path, notebook) for path, notebook in notebooks.items()))
    return sorted(failed)


def main(build: Path) -> int:
    """Run the chapters that the cache lacks; return 1 if one failed."""
    last = build / "failed.txt"
    last.unlink(missing_ok=True)
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
        text = "\n  ".join(["Chapters that failed; all others are kept:", *failed])
        last.write_text(f"{text}\n", encoding="utf-8")
        print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "_build"))
