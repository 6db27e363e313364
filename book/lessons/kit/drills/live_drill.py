"""What all drills share on the Python side: the seed, and the static picture of one problem."""

import functools
import html
import json
from pathlib import Path
from typing import Any

from traitlets import Int

from lessons.kit.figures import LiveFigure, panels, text_table
from lessons.kit.figures.live_figure import compose, scripts

SHEET = (Path(__file__).with_name("drill.css")).read_text(encoding="utf-8")
# The problem of a seed as texts, beside a drill's script; no page carries it.
STILL = """
function stillOf(drill, seed) {
  const problem = fresh(drill, randomNumbers(seed));
  const { task, given, asked, way } = drill.show(problem);
  const tables = given.map((one) => ({ ...one, cells: one.cells.map((row) => row.map(written)) }));
  const answer = drill.answer(problem).map(written);
  return { title: drill.title, note: drill.note, task, given: tables, asked, way, answer };
}
"""


class Drill(LiveFigure):
    """A small problem by hand, drawn afresh as often as the reader likes.

    All its mathematics stand in its JavaScript, which also works out the static picture.
    """

    seed = Int(None, allow_none=True).tag(sync=True, figure=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):
            cls._css += SHEET

    def picture(self) -> str:
        """Return the first problem with empty boxes, and its solution folded."""
        still = still_of(self.name)
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
def still_of(name: str, seed: int = 0) -> dict[str, Any]:
    """Return title, task, note, tables, way and answers of a drill's problem, as texts.

    It runs the script that Jupyter gets, in an engine that comes with what builds the book.
    """
    script = compose(scripts()[name]).replace("export default ", "const { drill } = ")
    asked = f"(() => {{\n{script}\n{STILL}\nreturn JSON.stringify(stillOf(drill, {seed}));\n}})()"
    still: dict[str, Any] = json.loads(engine().eval(asked))
    return still


@functools.cache
def engine() -> Any:
    """Return the one engine for JavaScript that all drills share."""
    from py_mini_racer import MiniRacer  # of the book's own; a chapter that runs does without

    return MiniRacer()
