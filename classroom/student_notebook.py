"""A chapter as students get it: made anew from its cells, of which only what is listed here stays.

Outputs, execution counts, attachments and all metadata that no list names are left behind, and so
are the solutions. Cells keep their ids, by which answers are found again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from classroom.plan import ClassPlan

Cell = dict[str, Any]

_HEADING = re.compile(r"^#{1,3} .*$", re.MULTILINE)
_EXERCISE = re.compile(r"^### Exercise \d+\b.*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
_CALL = re.compile(r"exercises\.(\w+\.\w+)\.(check|hints|cause)\(\w*\)")
#: The call of a check; the name is that of its exercise.
CHECK = re.compile(r"\bexercises\.(\w+\.\w+)\.check\b")
_NAME = re.compile(r"\bexercises\.([a-z_0-9]+\.[a-z_0-9]+)\.")
_TAGS = ("exercise", "hide-cell", "hide-input", "hide-output", "remove-input")
_HIDDEN = ("source_hidden", "outputs_hidden")
#: Chapters lie in a folder of the book; for students its prose lies beside them.
_PROSE = ('book_prose("..")', 'book_prose(".")')
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Part:
    """A stretch of a chapter: what belongs to one exercise, or what belongs to none."""

    exercise: str
    cells: tuple[Cell, ...]


def source(cell: Cell) -> str:
    """Return the text of a cell, which a file may hold in one piece or line by line."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def is_tagged(cell: Cell, tag: str) -> bool:
    """Say whether a cell has a tag, such as "exercise" or "solution"."""
    return tag in cell["metadata"].get("tags", [])


def solutions_in(notebook: dict[str, Any]) -> dict[str, Cell]:
    """Return the solutions that a chapter shows, by the names of their exercises."""
    cells = (cell for cell in notebook["cells"] if is_tagged(cell, "solution"))
    return {check[1]: cell for cell in cells if (check := CHECK.search(source(cell)))}


def exercises_in(notebook: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the exercises of a chapter, in its order."""
    return tuple(found.exercise for found in parts(notebook) if found.exercise)


def parts(notebook: dict[str, Any]) -> list[Part]:
    """Cut a chapter where an exercise begins or ends.

    Raises:
        ValueError: an exercise has a title and no cell to write in.
    """
    found: list[tuple[bool, list[Cell]]] = [(False, [])]
    for cell in _cells(notebook):
        text = source(cell) if cell["cell_type"] == "markdown" else ""
        if _HEADING.search(text):
            begins = bool(_EXERCISE.match(text))
            if begins or found[-1][0]:
                found.append((begins, []))
        found[-1][1].append(cell)
    return [Part(_exercise_of(cells) if begins else "", tuple(cells)) for begins, cells in found]


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


def mentioned(notebook: dict[str, Any]) -> set[str]:
    """Return the names of the exercises that the code of a chapter names, to solve them or not."""
    code = (source(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
    return {name for text in code for name in _NAME.findall(text)}


def answered(cell: Cell) -> str:
    """Return the name of the exercise that a cell is written in, or nothing."""
    if cell["cell_type"] != "code" or not is_tagged(cell, "exercise"):
        return ""
    return called(cell)[0]


def called(cell: Cell) -> tuple[str, str]:
    """Return the exercise that the last line of a cell calls, and what it calls of it."""
    found = _CALL.fullmatch(source(cell).rstrip().rpartition("\n")[2])
    return (found[1], found[2]) if found else ("", "")


def _cells(notebook: dict[str, Any]) -> Iterator[Cell]:
    """Yield the cells; one that says more before the title of an exercise becomes two."""
    for cell in notebook["cells"]:
        text = source(cell)
        title = _EXERCISE.search(text) if cell["cell_type"] == "markdown" else None
        if title and title.start():
            before, text = text[: title.start()].rstrip(), text[title.start() :]
            yield cell | {"source": before}
            yield cell | {"source": text, "id": f"{cell['id']}-exercise"}
        else:
            yield cell


def _exercise_of(cells: list[Cell]) -> str:
    name = next(filter(None, map(answered, cells)), "")
    if not name:
        title = source(cells[0]).partition("\n")[0]
        raise ValueError(f"an exercise must have a cell that ends in its check, got {title!r}")
    return name


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
    told = cell["metadata"]
    kept: dict[str, Any] = {}
    if tags := [tag for tag in _TAGS if tag in told.get("tags", [])]:
        kept["tags"] = tags
    if hidden := [name for name in _HIDDEN if told.get("jupyter", {}).get(name) is True]:
        kept["jupyter"] = dict.fromkeys(hidden, True)
    if name := answered(cell):
        kept |= {"deletable": False, "transformer_lite": {"exercise": name}}
    elif is_setup:
        kept["transformer_lite"] = {"setup": True}
    return kept


def _kept_link(link: re.Match[str], chapters: tuple[str, ...]) -> str:
    """Return a link as it is if it leads anywhere from here, and else its text."""
    text, target = link.groups()
    page = target.partition("#")[0]
    here = not page or "://" in page or page.removesuffix(".ipynb") in chapters
    return link[0] if here else text
