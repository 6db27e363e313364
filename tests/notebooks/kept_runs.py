"""A pytest plugin next to nbval that keeps the compared runs for the build of the book.

nbval executes each chapter and compares its outputs with the stored ones. This plugin hears the
same messages of the same kernel. nbclient makes outputs and widget state of them, as it does when
a book is built, and a chapter that ran to its end goes into the cache in which the build looks.

    python -m pytest -p nbval --nbval -p kept_runs --keep-runs=FOLDER notebooks

A cell tagged `varies` prints what differs between machines: it runs, and is not compared.
"""

import copy
import weakref
from collections.abc import Iterator

import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.main import JupyterCacheBase
from kernels import fork_kernels
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbval.plugin import IPyNbCell, IPyNbFile, metadata_tags

# A busy machine lets a kernel wait for its turn. nbval would give up after 5 seconds of silence.
SILENCE = 60

metadata_tags["varies"] = metadata_tags["nbval-ignore-output"]

_hearers: weakref.WeakKeyDictionary[IPyNbFile, "Hearer"] = weakref.WeakKeyDictionary()


class Hearer:
    """Hears what one kernel of nbval says, and writes it into a copy of the notebook."""

    def __init__(self, file: IPyNbFile):
        notebook = copy.deepcopy(file.nb)
        notebook.metadata.pop("widgets", None)
        self.client = NotebookClient(notebook, record_timing=False)
        self.places = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
        self.begun = self.ended = 0
        self.request: str | None = None
        self._execute = file.kernel.execute_cell_input
        self._get = file.kernel.get_message
        file.kernel.execute_cell_input = self.execute
        file.kernel.get_message = self.get

    def execute(self, *arguments, **options) -> str:
        """Pass a cell on to the kernel; its outputs begin again."""
        self.client.nb.cells[self.places[self.begun]].outputs = []
        self.client.clear_before_next_output = False
        self.begun += 1
        request: str = self._execute(*arguments, **options)
        self.request = request
        return request

    def get(self, stream: str, timeout: float | None = None) -> dict:
        """Pass a message on to nbval, and hear it."""
        message = self._get(stream, timeout=timeout)
        if stream == "iopub" and message["parent_header"].get("msg_id") == self.request:
            self.hear(message)
        return message

    def hear(self, message: dict) -> None:
        place = self.places[self.begun - 1]
        cell = self.client.nb.cells[place]
        try:
            self.client.process_message(message, cell, place)
        except CellExecutionComplete:
            failed = any(output.output_type == "error" for output in cell.outputs)
            self.ended += not failed

    def is_whole(self) -> bool:
        """Return whether all cells ran, none skipped and none in error."""
        return self.begun == self.ended == len(self.places)

    def keep(self, cache: JupyterCacheBase) -> None:
        """Put the notebook into the cache as if the book's build had executed it."""
        notebook = self.client.nb
        self.client.set_widgets_metadata()
        for count, place in enumerate(self.places, start=1):
            cell = notebook.cells[place]
            cell.execution_count = count  # nbval asks for no history, so the kernel counts nothing
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = count
        cache.cache_notebook_bundle(CacheBundleIn(notebook, "compared"), overwrite=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--keep-runs", metavar="FOLDER", help="a jupyter-cache to put chapters in")


def pytest_configure(config: pytest.Config) -> None:
    """Make the cache before several workers write to it, and let kernels be forks."""
    fork_kernels()
    folder = config.getoption("--keep-runs")
    if folder and not hasattr(config, "workerinput"):
        assert get_cache(folder).list_cache_records() is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    if not isinstance(item, IPyNbCell):
        return (yield)
    item.output_timeout = SILENCE
    folder = item.config.getoption("--keep-runs")
    if not folder:
        return (yield)
    if item.parent not in _hearers:
        _hearers[item.parent] = Hearer(item.parent)
    hearer = _hearers[item.parent]
    try:
        return (yield)
    finally:
        if hearer.is_whole():
            hearer.keep(get_cache(folder))
