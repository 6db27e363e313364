"""Small books, written and built by Sphinx in this process: a new process would take longer."""

import contextlib
import gc
import io
import json
import logging
import re
import warnings
from pathlib import Path

from sphinx.cmd.build import main

FACTS = {"minutes": 40, "difficulty": 2, "promise": "how", "background": ["sums"]}


def write(book: Path, extensions: list[str], files: dict[str, str], **settings: object) -> Path:
    """Write `conf.py` and the files of a book, and return its folder."""
    settings |= {
        "extensions": ["myst_nb", *extensions],
        "nb_execution_mode": "off",
        "exclude_patterns": ["_build"],
    }
    conf = "\n".join(f"{name} = {value!r}" for name, value in settings.items())
    for name, text in {"conf.py": conf, **files}.items():
        (book / name).parent.mkdir(exist_ok=True)
        (book / name).write_text(text, encoding="utf-8")
    return book


def notebook(cells: dict[str, str], facts: dict = FACTS, outputs: list | None = None) -> str:
    """A chapter of cells by their ids.

    What begins with a capital or # is Markdown, anything else code, which shows `outputs`; a cell
    that checks an answer is an exercise.
    """
    made = []
    for name, text in cells.items():
        tags = ["exercise"] if ".check(" in text else []
        cell: dict = {"cell_type": "markdown", "id": name, "source": text}
        cell["metadata"] = {"tags": tags}
        if not text[0].isupper() and text[0] != "#":
            cell |= {"cell_type": "code", "outputs": outputs or [], "execution_count": None}
        made.append(cell)
    metadata = {"chapter": facts, "language_info": {"name": "python"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made})


def build(book: Path, *options: str) -> str:
    """Build a book as web pages, into its folder `_build/html`.

    Args:
        book: a folder that holds `conf.py`.
        options: of `sphinx-build`. With `-W` a warning ends the build.

    Returns:
        what Sphinx says in its own words; nothing where all is well.
    """
    trees, pages = str(book / "_build/trees"), str(book / "_build/html")
    said = io.StringIO()
    gc.collect()  # sphinx-external-toc asks every object of the process what it is, dead ones too
    # Tests turn warnings into errors, and those of Sphinx' extensions are not ours.
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stderr(said):
        main([*options, "-q", "-b", "html", "-d", trees, str(book), pages])
    # Sphinx keeps its messages from other listeners, pytest's among them.
    logger = logging.getLogger("sphinx")
    logger.propagate = True
    logger.handlers.clear()
    return said.getvalue()


def pages(book: Path) -> dict[str, str]:
    """The HTML of the built pages by their names."""
    files = (book / "_build/html").rglob("*.html")
    return {path.stem: path.read_text(encoding="utf-8") for path in files}


def texts(page: str, pattern: str) -> list[str]:
    """What a reader sees of the parts of a page."""
    found = re.findall(pattern, page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", part).split()) for part in found]
