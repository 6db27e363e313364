"""Read the code of an untrusted notebook as data."""

import json
import os
import re
import stat
from pathlib import Path
from typing import Any, NamedTuple

from classroom.unpacking import LARGEST_NOTEBOOK, too_large

_MOST_CELLS = 5_000
_MOST_CODE = 300_000  # characters; ten times as many as a chapter of the book
_LONGEST_TEXT = 20_000  # a longer text cell is not a misplaced answer


#: Other files that are handed in as notebooks: how they start, and what to do.
_OTHER_FILES = {
    rb"$": "is empty: save it again and hand it in anew",
    rb"PK\x03\x04": "is a zip or an office file: hand in the .ipynb file itself",
    rb"%PDF": "is a PDF: hand in the .ipynb file itself",
    rb"<": "is a web page, maybe one that asks to log in: download the .ipynb file itself",
    rb"version https://git-lfs": "is a pointer of Git LFS: run git lfs pull, and hand in the file",
    rb"(#|import |from \w|def |\"\"\"|%)": "is a Python script: in Colab choose Download .ipynb",
}


class Sources(NamedTuple):
    """The sources of a notebook's code cells, and of its other cells (Markdown and raw)."""

    code: list[str]
    other: list[str]


def code_of(path: Path) -> Sources:
    """Return the sources of a notebook's cells.

    Raises:
        ValueError: it is not a notebook that can be graded; the message is a sentence for its
            author.
    """
    cells = _cells(read_notebook(path))
    code = [text for kind, text in cells if kind == "code"]
    if sum(map(len, code)) > _MOST_CODE:
        raise ValueError(f"the notebook has more than {_MOST_CODE} characters of code")
    other = [text for kind, text in cells if kind != "code" and len(text) <= _LONGEST_TEXT]
    return Sources(code, other)


def read_notebook(path: Path) -> Any:
    """Parse a file as JSON.

    Raises:
        ValueError: it is a link, too large or not valid JSON.
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
        raise ValueError(f"the notebook {_describe_other_file(text)}") from None


def _describe_other_file(text: bytes) -> str:
    """Return what a file without valid JSON seems to be."""
    if re.search(rb"^<{7} ", text, re.MULTILINE):
        return "has conflict marks of Git in it: resolve them, and save it again in Jupyter"
    start = text[:1_000].removeprefix(b"\xef\xbb\xbf").lstrip()
    fitting = (advice for pattern, advice in _OTHER_FILES.items() if re.match(pattern, start))
    return next(fitting, "is not valid JSON: it may be cut off. Save it again in Jupyter")


def _cells(notebook: Any) -> list[tuple[str, str]]:
    version = notebook.get("nbformat") if isinstance(notebook, dict) else None
    if type(version) is int and version != 4:
        how = "open it in Jupyter and save it" if version < 4 else "save it in a stable Jupyter"
        raise ValueError(f"the notebook is of version {version}, not of version 4: {how}")
    if version is None or not isinstance(notebook.get("cells"), list):
        raise ValueError("the notebook has no cells: hand in the .ipynb file itself")
    if len(notebook["cells"]) > _MOST_CELLS:
        raise ValueError(f"the notebook has more than {_MOST_CELLS} cells")
    return [_cell(cell) for cell in notebook["cells"] if isinstance(cell, dict)]


def _cell(cell: dict[str, Any]) -> tuple[str, str]:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise ValueError("a cell of the notebook has a source that is not text")
    # JSON may contain half a surrogate pair.
    text = "".join(lines).encode("utf-8", "replace").decode()
    return str(cell.get("cell_type")), text
