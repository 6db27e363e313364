"""What of the book students must not get, gathered for the search through a release."""

import functools
from collections.abc import Iterator

from transformer_lite import exercises
from transformer_lite.classroom.leaks import Withheld
from transformer_lite.classroom.source import PACKAGE, ROOT, book
from transformer_lite.classroom.student_notebook import CHECK, Cell, is_tagged, source
from transformer_lite.classroom.student_package import WITHHELD, shared_files

ANSWERS = ("exercises/*/[!_]*.py", f"{WITHHELD}/hidden/*.py")


def withheld(hints: int, secret: str) -> Withheld:
    """Gather the solutions, the references and all other answers, and what is secret.

    Args:
        hints: how many hints of each exercise students get.
        secret: the secret of the class.
    """
    answers = _answers()
    found = Withheld(answers.lines, answers.names, public=answers.public)
    for exercise in exercises.every():
        for number, text in enumerate(exercise.hint_texts[hints:], start=hints + 1):
            found.add_text(text, f"hint {number} of {exercise.name}")
    found.add_text(secret, "class.json")
    return found


@functools.cache
def _answers() -> Withheld:
    found = Withheld()
    for chapter, notebook in book().items():
        for cell in filter(is_solution, notebook["cells"]):
            found.add_code(source(cell), f"the solution {chapter} {cell['id']}")
    for path in sorted(path for pattern in ANSWERS for path in PACKAGE.glob(pattern)):
        found.add_code(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    return found.without(_public())


def is_solution(cell: Cell) -> bool:
    """Say whether a cell of a chapter holds the solution of an exercise, whatever its tags say.

    A solution is checked, and is no cell to write in.
    """
    if cell["cell_type"] != "code" or is_tagged(cell, "exercise"):
        return False
    return bool(CHECK.search(source(cell))) or is_tagged(cell, "solution")


def _public() -> Iterator[bytes]:
    """Yield what anybody may read: the package without answers, chapters, starts of answers."""
    yield from (path.read_bytes() for path in shared_files().values())
    for notebook in book().values():
        yield from (source(cell).encode() for cell in notebook["cells"] if not is_solution(cell))
    yield from (exercise.starter.encode() for exercise in exercises.every())
