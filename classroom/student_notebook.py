"""The students' edition of a chapter, which keeps only the listed parts of each cell.

Outputs, execution counts, attachments, solutions and all unlisted metadata are removed. Cells keep
their ids, by which answers are found again.
"""

import re
from typing import Any

from classroom.plan import ClassPlan
from lessons.kit.cells import Cell, answered, called, is_tagged, parts, source

_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
_TAGS = ("exercise", "hide-cell", "hide-input", "hide-output", "remove-input")
_HIDDEN = ("source_hidden", "outputs_hidden")
#: Chapters are in a folder of the book, but students have its prose next to the chapters.
_PROSE = ('book_prose("..")', 'book_prose(".")')
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def student_notebook(
    notebook: dict[str, Any], plan: ClassPlan, chapters: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return the students' edition of a chapter.

    Args:
        notebook: the chapter as JSON.
        plan: which exercises and how many hints students get.
        chapters: the notebooks, without their ending, that links may lead to. Any other link into
            the book becomes plain text.
    """
    kept = [part for part in parts(notebook) if part.exercise in ("", *plan.exercises)]
    cells = [cell for part in kept for cell in part.cells if not _is_withheld(cell, plan.hints)]
    setup = next((cell for cell in cells if cell["cell_type"] == "code"), None)
    return {
        "cells": [_rebuilt(cell, chapters, cell is setup) for cell in cells],
        "metadata": {"kernelspec": _KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _is_withheld(cell: Cell, hints: int) -> bool:
    if cell["cell_type"] == "raw" or is_tagged(cell, "solution"):
        return True
    return not hints and cell["cell_type"] == "code" and called(cell)[1] == "hints"


def _rebuilt(cell: Cell, chapters: tuple[str, ...], is_setup: bool) -> Cell:
    text = source(cell)
    kind = cell["cell_type"]
    if kind == "markdown":
        text = _LINK.sub(lambda link: _kept_link(link, chapters), text)
        return {"cell_type": kind, "id": cell["id"], "metadata": {}, "source": text}
    return {
        "cell_type": kind,
        "execution_count": None,
        "id": cell["id"],
        "metadata": _metadata(cell, is_setup),
        "outputs": [],
        "source": text.replace(*_PROSE),
    }


def _metadata(cell: Cell, is_setup: bool) -> dict[str, Any]:
    metadata = cell["metadata"]
    kept: dict[str, Any] = {}
    if tags := [tag for tag in _TAGS if tag in metadata.get("tags", [])]:
        kept["tags"] = tags
    if hidden := [name for name in _HIDDEN if metadata.get("jupyter", {}).get(name) is True]:
        kept["jupyter"] = dict.fromkeys(hidden, True)
    if name := answered(cell):
        kept |= {"deletable": False, "transformer_lite": {"exercise": name}}
    elif is_setup:
        kept["transformer_lite"] = {"setup": True}
    return kept


def _kept_link(link: re.Match[str], chapters: tuple[str, ...]) -> str:
    """Return a link unchanged if students can follow it, and only its text otherwise."""
    text, target = link.groups()
    page = target.partition("#")[0]
    here = not page or "://" in page or page.removesuffix(".ipynb") in chapters
    return link[0] if here else text
