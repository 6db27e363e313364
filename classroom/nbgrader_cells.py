"""A chapter with nbgrader's cell metadata, for a course that already runs on nbgrader.

An answer becomes two cells: one to write in (a solution), and a locked one that calls the check and
asserts that it passed (an autograded test, with the points). The rules come from nbgrader's schema,
nbgrader/nbgraderformat/v3.json, and its validator, v3.py next to it: the schema version is 3;
`grade`, `solution` and `locked` are required; `grade_id` consists of letters, digits, _ and - and
is unique in a notebook; graded cells have at least 0 points.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from lessons.kit.cells import Cell, solutions_in, source

#: An answer cell keeps the book's starter, which nbgrader would replace with its own stub.
#: A test that a student has deleted is restored.
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = {course!r}
c.ClearSolutions.code_stub = {{"python": ""}}
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 300
"""


def with_nbgrader(notebook: dict[str, Any], points: Mapping[str, float]) -> dict[str, Any]:
    """Return a students' notebook in which each answer is a solution cell and a test cell.

    Args:
        notebook: what `student_notebook` returned.
        points: the points of each exercise.
    """
    cells = [new for cell in notebook["cells"] for new in _in_two(cell, points)]
    return notebook | {"cells": cells}


def with_solutions(notebook: dict[str, Any], chapter: dict[str, Any]) -> dict[str, Any]:
    """Return the teacher's copy, from which ``nbgrader generate_assignment`` makes the students'.

    Args:
        notebook: what `with_nbgrader` returned.
        chapter: the chapter in the book.
    """
    solutions = solutions_in(chapter)
    cells = [
        cell | {"source": _solved(cell, solutions[name])} if (name := _solution_of(cell)) else cell
        for cell in notebook["cells"]
    ]
    return notebook | {"cells": cells}


def _in_two(cell: Cell, points: Mapping[str, float]) -> Iterator[Cell]:
    name = cell["metadata"].get("transformer_lite", {}).get("exercise")
    if not name:
        yield cell
        return
    text, call = _cut(cell)
    grade_id = name.replace(".", "-")
    written = {"grade": False, "solution": True, "locked": False, "grade_id": grade_id}
    yield cell | {"source": text, "metadata": cell["metadata"] | _marked(written)}
    tested = {"grade": True, "solution": False, "locked": True, "grade_id": f"{grade_id}-check"}
    yield cell | {
        "id": f"{cell['id']}-check",
        "source": f"assert {call}.passed",
        "metadata": {
            "deletable": False,
            "editable": False,
            **_marked(tested | {"points": points[name]}),
        },
    }


def _marked(settings: dict[str, Any]) -> dict[str, Any]:
    return {"nbgrader": {"schema_version": 3, "task": False, **settings}}


def _cut(cell: Cell) -> tuple[str, str]:
    """Split a cell before its last statement, the call of a check."""
    text = source(cell)
    last = ast.parse(text).body[-1]
    lines = text.splitlines()
    return "\n".join(lines[: last.lineno - 1]).rstrip(), ast.unparse(last)


def _solution_of(cell: Cell) -> str:
    metadata = cell["metadata"]
    is_solution = metadata.get("nbgrader", {}).get("solution")
    return metadata["transformer_lite"]["exercise"] if is_solution else ""


def _solved(cell: Cell, solution: Cell) -> str:
    """Append the book's solution to the starter of an answer, under the name that is checked."""
    written, call = _cut(solution)
    name = _defined(source(cell))
    right = call.rpartition("(")[2].rstrip(")")
    return (
        f"{source(cell)}\n\n### BEGIN SOLUTION\n{written}\n\n\n{name} = {right}\n### END SOLUTION"
    )


def _defined(text: str) -> str:
    """Return the name of the last function that a starter defines."""
    return next(
        node.name for node in reversed(ast.parse(text).body) if isinstance(node, ast.FunctionDef)
    )
