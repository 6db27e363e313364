"""Read the cells of a chapter's notebook: exercises, solutions, and the parts between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__: list[str] = []  # for the builders of the book and of classes

Cell = dict[str, Any]
_HEADING = re.compile(r"^#{1,3} .*$", re.MULTILINE)
_EXERCISE = re.compile(r"^### Exercise \d+\b.*$", re.MULTILINE)
_CALL = re.compile(r"exercises\.(\w+\.\w+)\.(check|hints|cause)\(\w*\)")
#: The call of a check; the name is that of its exercise.
CHECK = re.compile(r"\bexercises\.(\w+\.\w+)\.check\b")
_NAME = re.compile(r"\bexercises\.([a-z_0-9]+\.[a-z_0-9]+)\.")


@dataclass(frozen=True)
class Part:
    """Consecutive cells of a chapter that belong to one exercise, or to none."""

    exercise: str
    cells: tuple[Cell, ...]


def source(cell: Cell) -> str:
    """Return the source of a cell, which a file stores as one text or as lines."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def is_tagged(cell: Cell, tag: str) -> bool:
    """Return whether a cell has a tag, such as "exercise" or "solution"."""
    return tag in cell["metadata"].get("tags", [])


def solutions_in(notebook: dict[str, Any]) -> dict[str, Cell]:
    """Return the solution cells of a chapter, by the names of their exercises."""
    cells = (cell for cell in notebook["cells"] if is_tagged(cell, "solution"))
    return {check[1]: cell for cell in cells if (check := CHECK.search(source(cell)))}


def exercises_in(notebook: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the exercises of a chapter, in order."""
    return tuple(found.exercise for found in parts(notebook) if found.exercise)


def parts(notebook: dict[str, Any]) -> list[Part]:
    """Split a chapter where an exercise begins or ends.

    Raises:
        ValueError: an exercise has a title but no cell to write in.
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


def mentioned(notebook: dict[str, Any]) -> set[str]:
    """Return the names of all exercises that occur in the code of a chapter."""
    code = (source(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
    return {name for text in code for name in _NAME.findall(text)}


def answered(cell: Cell) -> str:
    """Return the name of the exercise that a cell answers, or an empty text."""
    if cell["cell_type"] != "code" or not is_tagged(cell, "exercise"):
        return ""
    return called(cell)[0]


def called(cell: Cell) -> tuple[str, str]:
    """Return the exercise and the method that the last line of a cell calls."""
    found = _CALL.fullmatch(source(cell).rstrip().rpartition("\n")[2])
    return (found[1], found[2]) if found else ("", "")


def _cells(notebook: dict[str, Any]) -> Iterator[Cell]:
    """Yield the cells, and split a cell with text before the title of an exercise."""
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
