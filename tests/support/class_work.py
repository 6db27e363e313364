"""What a class gets and hands in: plans, notebooks with answers, and the book's solutions."""

import copy
import functools
import json
import re
from pathlib import Path
from typing import Any

from classroom.plan import ClassPlan
from classroom.source import book
from classroom.student_notebook import student_notebook
from lessons.kit import exercises
from lessons.kit.cells import exercises_in, solutions_in, source
from lessons.kit.exercises import function_name

SECRET = "5" * 64


def plan_for(chapter: str) -> ClassPlan:
    """A class that does all exercises of one chapter, such as "05_attention"."""
    names = exercises_in(chapters()[chapter])
    return ClassPlan("A class", "", names, SECRET, dict.fromkeys(names, 1.0))


@functools.cache
def chapters() -> dict[str, Any]:
    """The book's notebooks."""
    return book()


@functools.cache
def solutions(chapter: str) -> dict[str, str]:
    """The book's own answers to the exercises of a chapter, under the names asked for."""
    found = {}
    for name, cell in solutions_in(chapters()[chapter]).items():
        text = source(cell)
        solved = re.search(r"check\(\s*(\w+)\s*\)\s*$", text)[1]
        code = re.split(r"\n+(?:check = )?exercises\.", text)[0]
        found[name] = code.replace(solved, required_function(name)).strip() + "\n"
    return found


def required_function(name: str) -> str:
    """The function that an exercise asks for."""
    return function_name(exercises.get_exercise(name).starter)


def notebook(chapter: str, answers: dict[str, str], more: tuple[str, ...] = ()) -> dict[str, Any]:
    """A student's notebook: answers by the exercises' names, and more cells before them all."""
    made = copy.deepcopy(student_notebook(chapters()[chapter], plan_for(chapter)))
    for cell in made["cells"]:
        name = cell["metadata"].get("transformer_lite", {}).get("exercise")
        if name in answers:
            cell["source"] = answers[name]
    extra = [{"cell_type": "code", "metadata": {}, "source": text} for text in more]
    made["cells"][2:2] = extra
    return made


def hand_in(folder: Path, name: str, made: dict[str, Any]) -> Path:
    """Write a notebook into a folder of submissions."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made), encoding="utf-8")
    return path
