"""Store the outputs of chapters again: python tests/notebooks/store.py notebooks/*.ipynb

Each notebook runs from top to bottom in a fresh kernel. Kept is what a reader can read and nbval
compares: text. Pictures and widgets are drawn when the book is built. Running it twice gives the
same bytes.
"""

import hashlib
import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

# What nbval ignores, so that dropping it leaves the comparison whole.
DROPPED = {"image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json"}


def store(path: Path) -> None:
    """Run one notebook and write it back with its text outputs.

    Raises:
        ValueError: a cell writes to stderr, or shows what can be neither stored nor ignored.
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    raw = json.loads(path.read_text(encoding="utf-8"))
    for place, cell in enumerate(raw["cells"]):
        cell.setdefault("id", _new_id(place, cell))
    raw["nbformat"], raw["nbformat_minor"] = 4, 5
    notebook = nbformat.reads(json.dumps(raw), as_version=4)
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    ).execute()
    _clean(notebook)
    # One space of indent, sorted keys, a line of source a line of the file.
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


def _clean(notebook: NotebookNode) -> None:
    """Drop what differs from run to run and from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    for place, cell in enumerate(notebook.cells):
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cleaned = (_clean_output(place, output) for output in cell.outputs)
            cell.outputs = [output for output in cleaned if output is not None]


def _clean_output(place: int, output: NotebookNode) -> NotebookNode | None:
    if output.get("name") == "stderr":
        raise ValueError(f"a cell must not write to stderr, cell {place} writes {output.text!r}")
    if "data" not in output:
        return output
    for mime in DROPPED & output.data.keys():
        del output.data[mime]
    others = [mime for mime in output.data if not mime.startswith("text/")]
    if others:
        raise ValueError(f"a stored output must be text, cell {place} shows {', '.join(others)}")
    output.metadata = {}
    return output if output.data else None


def _new_id(place: int, cell: dict) -> str:
    """An id for a cell that has none: the same in every run."""
    return hashlib.sha256(f"{place} {cell['source']}".encode()).hexdigest()[:8]


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python tests/notebooks/store.py NOTEBOOK...")
    for argument in sys.argv[1:]:
        print(f"running {argument}", flush=True)
        store(Path(argument))
