"""The Python side of drills: the seed, and the static picture of one problem."""

import functools
import html
import json
from pathlib import Path
from typing import Any

from traitlets import Int

from lessons.kit.figures import LiveFigure, panels, text_table
from lessons.kit.figures.live_figure import compose, scripts

SHEET = (Path(__file__).with_name("drill.css")).read_text(encoding="utf-8")
# Appended to a drill's script: the problem of a seed as texts. No page contains it.
STATIC_PROBLEM = """
function staticProblem(drill, seed) {
  const problem = fresh(drill, randomNumbers(seed));
  const { task, given, asked, way } = drill.show(problem);
  const tables = given.map((one) => ({ ...one, cells: one.cells.map((row) => row.map(written)) }));
  const answer = drill.answer(problem).map(written);
  return { title: drill.title, note: drill.note, task, given: tables, asked, way, answer };
}
"""


class Drill(LiveFigure):
    """A small problem to solve by hand, with new numbers each time.

    All its mathematics is in JavaScript, which also computes the static picture.
    """

    seed = Int(None, allow_none=True).tag(sync=True, figure=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):
            cls._css += SHEET

    def picture(self) -> str:
        """Return the first problem with empty boxes, and its solution folded."""
        still = static_problem(self.name)
        asked = still["asked"]
        empty = [[""] * len(asked["heads"]) for _ in asked["rows"]]
        tables = (
            text_table(one["caption"], one["rows"], one["heads"], one["cells"])
            for one in (*still["given"], asked | {"cells": empty})
        )
        way = "".join(f"<li>{html.escape(step)}</li>" for step in still["way"])
        return (
            f'<div class="tl-drill"><p class="tl-title"><span>Drill</span> '
            f"{html.escape(still['title'])}</p><p>{html.escape(still['task'])}</p>"
            f'{panels(*tables)}<p class="tl-note">{html.escape(still["note"])}</p>'
            f'<details><summary>Show me the way</summary><ol class="tl-way">{way}</ol></details>'
            "</div>"
        )

    def __repr__(self) -> str:
        return f"Drill({self.name!r})"


@functools.cache
def static_problem(name: str, seed: int = 0) -> dict[str, Any]:
    """Return the title, task, note, tables, solution and answers of a drill's problem as texts.

    It runs the script that Jupyter gets in a JavaScript engine.
    """
    script = compose(scripts()[name]).replace("export default ", "const { drill } = ")
    result = f"return JSON.stringify(staticProblem(drill, {seed}));"
    code = f"(() => {{\n{script}\n{STATIC_PROBLEM}\n{result}\n}})()"
    problem: dict[str, Any] = json.loads(engine().eval(code))
    return problem


@functools.cache
def engine() -> Any:
    """Return the JavaScript engine that all drills share."""
    from py_mini_racer import (
        MiniRacer,  # only for building the book; a running chapter does not need it
    )

    return MiniRacer()
