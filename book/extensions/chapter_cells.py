"""Find what the code cells of a chapter contain: calls, exercises, drills and live figures."""

import ast
import functools
from typing import NamedTuple

from chapter_facts import Chapter

from lessons.kit import exercises
from lessons.kit.cells import answered, source
from lessons.kit.exercises import Exercise
from lessons.kit.figures import registry

FIGURES = {cls.__name__: cls for cls in registry.FIGURES.values()}
MAGICS = ("%", "!")


class ExerciseCell(NamedTuple):
    """An exercise, and the cell of the chapter in which readers solve it."""

    exercise: Exercise
    cell: dict

    @property
    def name(self) -> str:
        """Return the name without the chapter, such as "attend"."""
        return self.exercise.name.partition(".")[2]

    @property
    def task(self) -> str:
        """Return the first line of the docstring of the starter's first function."""
        body = ast.parse(self.exercise.starter).body
        functions = (node for node in body if isinstance(node, ast.FunctionDef))
        return first_line(ast.get_docstring(next(functions)))


def code_cells(chapter: Chapter) -> list[dict]:
    return [cell for cell in chapter.cells if cell["cell_type"] == "code"]


def calls_in(cell: dict) -> tuple[tuple[str, ast.Call], ...]:
    """Return the calls of a code cell, each with its name: "compare", or ".compare" in a module.

    Lines with magics are ignored. A cell that shows invalid syntax on purpose has no calls.
    """
    return _calls_in(source(cell))


@functools.cache  # many pages need the cells of all chapters
def _calls_in(code: str) -> tuple[tuple[str, ast.Call], ...]:
    lines = ("" if line.lstrip().startswith(MAGICS) else line for line in code.splitlines())
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:
        return ()
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return tuple((_name_of(call.func), call) for call in calls)


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return f".{function.attr}"
    return function.id if isinstance(function, ast.Name) else ""


def exercise_in(cell: dict) -> ExerciseCell | None:
    """Return the exercise in a cell, or None."""
    name = answered(cell)
    return ExerciseCell(exercises.get_exercise(name), cell) if name else None


def exercises_of(chapter: Chapter) -> dict[str, ExerciseCell]:
    """Return the exercises of a chapter by name."""
    found = filter(None, map(exercise_in, code_cells(chapter)))
    return {exercise.name: exercise for exercise in found}


def drills_of(chapter: Chapter) -> list[tuple[dict, str]]:
    """Return each cell with a drill, together with the drill's name."""
    calls = ((cell, *call) for cell in code_cells(chapter) for call in calls_in(cell))
    return [(cell, ast.literal_eval(call.args[0])) for cell, name, call in calls if name == "drill"]


def figures_of(chapter: Chapter) -> list[tuple[dict, str]]:
    """Return each cell with a live figure, together with the figure's class; each figure once."""
    found: dict[str, dict] = {}
    for cell in code_cells(chapter):
        for name in (name for name, _ in calls_in(cell) if name in FIGURES):
            found.setdefault(name, cell)
    return [(cell, name) for name, cell in found.items()]


def first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]
