"""The released chapters, which show what a student has written or changed."""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from classroom.nbgrader_cells import with_nbgrader
from classroom.plan import ClassPlan
from classroom.source import book
from classroom.student_notebook import student_notebook
from lessons.kit.cells import CHECK, source
from lessons.kit.exercises import function_name, get_exercise

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_WORD = re.compile(r"\w+")
_CALL = re.compile(rf"{CHECK.pattern}\([^()\n]{{0,200}}\)")


@dataclass(frozen=True)
class Chapter:
    """A chapter as it was released.

    Args:
        name: the name of its exercises' module, such as "attention".
        exercises: the exercises of the class, such as "attention.attend".
        asked: the functions that the exercises ask for.
        prelude: the setup cell, and what the chapter itself defines or imports.
        known: the sources of all its code cells, as returned by `_bare`.
    """

    name: str
    exercises: tuple[str, ...]
    asked: frozenset[str]
    prelude: tuple[str, ...]
    known: frozenset[str]

    def written(self, cells: Iterable[str]) -> list[str]:
        """Return the cells that the student has written or changed."""
        return [cell for cell in cells if cell.strip() and _bare(cell) not in self.known]

    def misplaced(self, code: Iterable[str], texts: Iterable[str]) -> dict[str, str]:
        """Return the texts that define a requested function which no written cell defines.

        They are answers in cells that became Markdown or raw cells, by the functions' names.
        """
        own = self.written(code)
        lacking = [name for name in self.asked if not any(defines(cell, name) for cell in own)]
        return {name: text for text in texts for name in lacking if defines(text, name)}

    def answered_by(self, cells: Iterable[str]) -> bool:
        """Return whether any of these cells mentions a requested function."""
        words = {word for cell in cells for word in _WORD.findall(_CALL.sub("", cell))}
        return not words.isdisjoint(self.asked)


def released_chapters(plan: ClassPlan) -> list[Chapter]:
    """Return the chapters of a class, made from the book in the same way as its release."""
    found = []
    for chapter in book().values():
        released = student_notebook(chapter, plan)
        both = (released, with_nbgrader(released, plan.points))
        known = frozenset(_bare(text) for one in both for text in _code(one))
        answers = _answered(released)
        if answers:
            asked = frozenset(function_name(start) for start in answers.values())
            module = next(iter(answers)).partition(".")[0]
            found.append(Chapter(module, tuple(answers), asked, _prelude(released, asked), known))
    return found


def chapter_of(cells: list[str], chapters: list[Chapter]) -> Chapter | None:
    """Return the chapter that a notebook has most in common with, or None.

    A notebook that only has checks of other chapters belongs to none of these, although many
    chapters start with the same setup cell.
    """
    named = Counter(name.partition(".")[0] for cell in cells for name in CHECK.findall(cell))
    if named and not any(named[chapter.name] for chapter in chapters):
        return None
    bare = [_bare(cell) for cell in cells]  # once for all chapters
    common = {c: named[c.name] + sum(cell in c.known for cell in bare) for c in chapters}
    best = max(common, key=common.__getitem__)
    if not common[best]:
        return chapters[0] if len(chapters) == 1 else None
    return best


def required_function(exercise: str) -> str:
    """Return the name of the function that an exercise asks for."""
    return function_name(get_exercise(exercise).starter)


def defines(cell: str, name: str) -> bool:
    """Return whether a cell defines a function of this name, judging by its text."""
    pattern = rf"^(?:async )?(?:def|class)\s+{name}\b|^{name}\s*(?::[^=\n]+)?=(?!=)"
    return re.search(pattern, cell, re.MULTILINE) is not None


def _answered(released: dict[str, Any]) -> dict[str, str]:
    """Return the exercises, each with its starter cell."""
    cells = ((c["metadata"].get("transformer_lite", {}), source(c)) for c in released["cells"])
    return {found["exercise"]: start for found, start in cells if "exercise" in found}


def _code(released: dict[str, Any]) -> list[str]:
    return [source(cell) for cell in released["cells"] if cell["cell_type"] == "code"]


def _prelude(released: dict[str, Any], names: frozenset[str]) -> tuple[str, ...]:
    """Return the setup cell and the definitions of other cells, except those of the exercises."""
    cells = _code(released)
    return (*cells[:1], *filter(None, (_definitions(cell, names) for cell in cells[1:])))


def _definitions(cell: str, forbidden: frozenset[str]) -> str:
    try:
        body = ast.parse(cell).body
    except SyntaxError:  # it contains a command of the notebook
        return ""
    kept = [n for n in body if _defines_only(n) and getattr(n, "name", "") not in forbidden]
    return "\n".join(ast.unparse(node) for node in kept)


def _defines_only(node: ast.stmt) -> bool:
    """Return whether a statement only names a piece of code or a plain value.

    This includes `exec`, with which a chapter runs code that it also sends to other processes.
    """
    if isinstance(node, ast.Assign):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, _DEFINITIONS) or ast.unparse(node).startswith("exec(")


def _bare(cell: str) -> str:
    """Return a cell without white space that an editor may add or remove."""
    return "\n".join(line.rstrip() for line in cell.strip().splitlines() if line.strip())
