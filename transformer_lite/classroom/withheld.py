"""What of the book students must not get, gathered for the search through a release."""

import functools
import importlib
import re
from collections.abc import Iterator

from transformer_lite.classroom.leaks import Withheld
from transformer_lite.classroom.plan import known_exercises
from transformer_lite.classroom.source import PACKAGE, ROOT, book
from transformer_lite.classroom.student_notebook import Cell, source
from transformer_lite.classroom.student_package import WITHHELD, shared_files
from transformer_lite.exercises import Exercise

ROUTES = ROOT / "tests/support/exercise_routes"


def withheld(hints: int, secret: str) -> Withheld:
    """Gather the solutions, the references and all other answers, and what is secret.

    Args:
        hints: how many hints of each exercise students get.
        secret: the secret of the class.
    """
    answers = _answers(hints)
    found = Withheld(dict(answers.pieces), dict(answers.functions), dict(answers.names))
    found.add_text(secret, "class.json")
    return found


@functools.cache
def _answers(hints: int) -> Withheld:
    found = Withheld()
    for chapter, notebook in book().items():
        for cell in filter(is_solution, notebook["cells"]):
            found.add_code(source(cell), f"the solution {chapter} {cell['id']}")
    for folder in (PACKAGE / "exercises", PACKAGE / WITHHELD, ROUTES):
        for path in sorted(folder.rglob("*.py")):
            if path.parent != PACKAGE / "exercises":
                where = path.relative_to(ROOT).as_posix()
                found.add_code(path.read_text(encoding="utf-8"), where)
    every = [_exercise(name) for name in known_exercises()]
    found = found.without(_public(every, hints))
    for exercise in every:
        for number, text in enumerate(exercise.hint_texts[hints:], start=hints + 1):
            found.add_text(text, f"hint {number} of {exercise.name}")
    return found


def is_solution(cell: Cell) -> bool:
    """Say whether a cell of a chapter holds the solution of an exercise, whatever its tags say.

    A solution is checked, and is no cell to write in.
    """
    if cell["cell_type"] != "code" or "exercise" in cell["metadata"].get("tags", []):
        return False
    checked = re.search(r"\bexercises\.\w+\.\w+\.check\b", source(cell))
    return bool(checked) or "solution" in cell["metadata"].get("tags", [])


def _exercise(name: str) -> Exercise:
    chapter, _, short = name.partition(".")
    module = importlib.import_module(f"{PACKAGE.name}.exercises.{chapter}")
    return getattr(module, short)


def _public(every: list[Exercise], hints: int) -> dict[str, bytes]:
    """Return what anybody may read: texts of chapters, the package without answers, messages."""
    files = {name: path.read_bytes() for name, path in shared_files().items()}
    for chapter, notebook in book().items():
        for cell in notebook["cells"]:
            if not is_solution(cell):
                files[f"{chapter} {cell['id']}"] = source(cell).encode()
    for exercise in every:
        for number, text in enumerate(_told(exercise, hints)):
            files[f"{exercise.name} {number}"] = text.encode()
    return files


def _told(exercise: Exercise, hints: int) -> Iterator[str]:
    """Yield what a check tells a student."""
    yield exercise.starter
    yield from exercise.hint_texts[:hints]
    yield from (mistake.message for mistake in exercise.mistakes)
    yield from (case.name for case in exercise.cases)
