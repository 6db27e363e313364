"""What every live figure shares: one ES module, one stylesheet, one static picture.

A figure's JavaScript imports its helpers as a browser does (`import … from "./kit.js"`). A module
that Jupyter starts from text has no folder to import from, so `compose` writes the helpers in
front. The published page gets the same text as a plain script, which also works from a file.
"""

import html
import json
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import ClassVar

import anywidget
import torch

FOLDER = Path(__file__).parent
_IMPORT = re.compile(r'^import [^;]*? from "\./(?P<file>\w+\.js)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)  # whole lines only
_EXPORT = "export default { render };"


def compose(name: str) -> str:
    """Return the module `name`.js with everything that it imports written into it."""
    helpers: dict[str, str] = {}

    def collect(file: str) -> str:
        source = (FOLDER / file).read_text(encoding="utf-8")
        for match in _IMPORT.finditer(source):
            if match["file"] not in helpers:
                text = collect(match["file"])
                helpers[match["file"]] = re.sub(r"^export ", "", text, flags=re.MULTILINE)
        return _IMPORT.sub("", source)

    module = collect(f"{name}.js")
    return "\n".join([*helpers.values(), module])


def page_script(name: str) -> str:
    """Return the module `name`.js as a plain script that registers itself with host.js.

    Comments are for readers of the source and stay there.
    """
    module = compose(name)
    if module.count(_EXPORT) != 1:
        raise ValueError(f"{name}.js must end in {_EXPORT!r}, once")
    body = re.sub(r"^export (?!default)", "", _COMMENT.sub("", module), flags=re.MULTILINE)
    body = body.replace(_EXPORT, "return { render };")
    return f"livingFigures.define({json.dumps(name)}, (() => {{\n{body}}})());\n"


def stylesheet(*names: str) -> str:
    """Return the shared stylesheet followed by those of the named figures that have their own."""
    files = [FOLDER / f"{name}.css" for name in ("kit", *names)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())


class LiveFigure(anywidget.AnyWidget):
    """A figure that is alive in Jupyter and on the published page.

    A subclass sets `name` (of its .js file), synced traits, and :meth:`picture`.
    """

    name: ClassVar[str]

    def __init_subclass__(cls, **kwargs):
        if "name" in vars(cls):  # not for the subclasses that traitlets makes of an instance
            cls._esm = compose(cls.name)
            cls._css = stylesheet(cls.name)
        super().__init_subclass__(**kwargs)

    def state(self) -> dict:
        """Return the figure's own traits as plain data: what the JavaScript reads."""
        own = self.trait_names(sync=True, figure=True)
        return {name: getattr(self, name) for name in sorted(own)}

    def picture(self) -> str:
        """Return the static picture: escaped HTML for print, PDF and pages without scripts."""
        raise NotImplementedError(f"{type(self).__name__} has no static picture yet")

    def to_html(self) -> str:
        """Return the figure for a published page: its picture and the state to mount it from."""
        state = json.dumps(self.state(), ensure_ascii=False, allow_nan=False).replace(
            "<", "\\u003c"
        )
        return (
            f'<div class="tl-host" data-figure="{self.name}">'
            f'<div class="lf-static"><div class="tl-figure">{self.picture()}</div></div>'
            f'<script type="application/json">{state}</script></div>'
        )


def number(x: float, digits: int = 4) -> str:
    """Write a number as the figures do: 4 decimals at most, a true minus sign, −∞ and NaN.

    >>> number(-1.34164), number(float("-inf")), number(2.0)
    ('−1.3416', '−∞', '2')
    """
    if x != x:
        return "NaN"
    if abs(x) == float("inf"):
        return "∞" if x > 0 else "−∞"
    # Halves go away from zero, as in JavaScript: the picture and the live figure must agree.
    rounded = Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded:f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace("-", "−")


def picture_table(
    caption: str,
    values: torch.Tensor | list[list[float]],
    rows: list[str],
    columns: list[str],
    kind: str = "",
    write: Callable[[float], str] = number,
) -> str:
    """Return one table of a static picture, shaded like its live twin; all text escaped.

    `write` says how a number is written; its live twin writes with `matrix({…, write})`.
    """
    values = torch.as_tensor(values).tolist()
    finite = [abs(x) for row in values for x in row if abs(x) < float("inf")]
    top = max([1e-9, *finite])

    def cell(x: float) -> str:
        heat = abs(x) / top if abs(x) < float("inf") else 0.0
        kind = "tl-nan" if x != x else "tl-off" if x == float("-inf") else ""
        return f'<td class="{kind}" style="--heat:{heat:.3f}">{write(x)}</td>'

    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>{"".join(map(cell, row))}</tr>'
        for name, row in zip(rows, values, strict=True)
    )
    return (
        f'<div class="tl-matrix-box"><table class="tl-matrix {kind}">'
        f"<caption>{html.escape(caption)}</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
