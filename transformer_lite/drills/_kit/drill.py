"""What all drills share on the Python side: the seed, and the static picture of one problem."""

import html
import json
from pathlib import Path
from typing import Any, ClassVar

from traitlets import Int

from transformer_lite.figures.kit.live_figure import LiveFigure

FOLDER = Path(__file__).parents[1]
SHEET = (Path(__file__).with_name("drill.css")).read_text(encoding="utf-8")


class Drill(LiveFigure):
    """A small problem by hand, drawn afresh as often as the reader likes.

    All its mathematics stand in its JavaScript. `still.json`, which `tests/drills/stills.mjs`
    writes from it, holds the problem of seed 0 for the static picture.
    """

    folder: ClassVar[Path] = FOLDER

    seed = Int(None, allow_none=True).tag(sync=True, figure=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):
            cls._css += SHEET

    def picture(self) -> str:
        """Return the first problem with empty boxes, and its solution folded."""
        still = json.loads((self.folder / self.name / "still.json").read_text(encoding="utf-8"))
        asked = still["asked"]
        empty = [[""] * len(asked["heads"]) for _ in asked["rows"]]
        tables = [_table(given, given["cells"]) for given in still["given"]]
        tables.append(_table(asked, empty))
        way = "".join(f"<li>{html.escape(step)}</li>" for step in still["way"])
        return (
            f'<div class="tl-drill"><p class="tl-title"><span>Drill</span> '
            f"{html.escape(still['title'])}</p><p>{html.escape(still['task'])}</p>"
            f'<div class="tl-panels">{"".join(tables)}</div>'
            f'<p class="tl-note">{html.escape(still["note"])}</p>'
            f'<details><summary>Show me the way</summary><ol class="tl-way">{way}</ol></details>'
            "</div>"
        )

    def __repr__(self) -> str:
        return f"Drill({self.name!r})"


def _table(frame: dict[str, Any], cells: list[list[str]]) -> str:
    """Return a table of texts, all escaped."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in frame["heads"])
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        f"{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>"
        for name, row in zip(frame["rows"], cells, strict=True)
    )
    return (
        '<div class="tl-matrix-box"><table class="tl-matrix">'
        f"<caption>{html.escape(frame['caption'])}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
