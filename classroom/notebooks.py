"""Read the code of an untrusted notebook, as data."""

import json
import os
import stat
from pathlib import Path
from typing import Any

from classroom.unpacking import LARGEST_NOTEBOOK, too_large

_MOST_CELLS = 5_000
_MOST_CODE = 300_000  # characters; a chapter of the book has a tenth of it


def code_of(path: Path) -> list[str]:
    """Return the sources of the code cells.

    Raises:
        ValueError: it is not a notebook that can be graded; the message is a sentence for its
            author.
    """
    code = [text for kind, text in _cells(read_notebook(path)) if kind == "code"]
    if sum(map(len, code)) > _MOST_CODE:
        raise ValueError(f"the notebook has more than {_MOST_CODE} characters of code")
    return code


def read_notebook(path: Path) -> Any:
    """Return what a file holds as JSON.

    Raises:
        ValueError: it is a link, too large or no JSON.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ValueError(f"the notebook cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("the notebook is not a file")
        if found.st_size > LARGEST_NOTEBOOK:
            raise ValueError(too_large("the notebook", found.st_size))
        text = file.read(LARGEST_NOTEBOOK + 1)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(
            "the notebook is not valid JSON: it may be cut off, or another file"
        ) from None


def _cells(notebook: Any) -> list[tuple[str, str]]:
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("the notebook has no cells: hand in the .ipynb file itself")
    if notebook.get("nbformat") != 4:
        raise ValueError("the notebook is not of version 4: save it again in a newer Jupyter")
    if len(notebook["cells"]) > _MOST_CELLS:
        raise ValueError(f"the notebook has more than {_MOST_CELLS} cells")
    return [_cell(cell) for cell in notebook["cells"] if isinstance(cell, dict)]


def _cell(cell: dict[str, Any]) -> tuple[str, str]:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise ValueError("a cell of the notebook has a source that is not text")
    text = "".join(lines).encode("utf-8", "replace").decode()  # JSON may hold half a character
    return str(cell.get("cell_type")), text
