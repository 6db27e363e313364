"""A finished diagram, as a notebook and the published page show it."""

import html
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Unicode

from lessons.kit.diagrams.nodes import check_label

FOLDER = Path(__file__).parent
PALETTE = FOLDER.parent / "figures/kit.css"
SHORTEST_ALT = 40


def stylesheet() -> str:
    """Return the stylesheet of the diagrams, with the colours of the figures."""
    return (FOLDER / "diagram.css").read_text(encoding="utf-8")


class Diagram(anywidget.AnyWidget):
    """A drawing and its text alternative.

    In Jupyter it shows itself as the last value of a cell. On the published page the drawing is
    in the page and takes its colours from there. A notebook's file keeps the words alone.

    Args:
        svg: the drawing, as the kit's `draw` writes it.
        alt: what the drawing shows, for those who do not see it; at least 40 characters.
        caption: a line below the drawing.

    Raises:
        TypeError: an argument is not text.
        ValueError: `svg` is not a drawing, or `alt` is too short.
    """

    _esm = (FOLDER / "diagram.js").read_text(encoding="utf-8")
    _css = PALETTE.read_text(encoding="utf-8") + stylesheet()
    html = Unicode().tag(sync=True)

    def __init__(self, svg: str, alt: str, caption: str = "", **traits: Any) -> None:
        check_label("svg", svg)
        check_alt(alt)
        check_label("caption", caption, empty=True)
        if not (svg.startswith("<svg") and svg.endswith("</svg>")):
            raise ValueError(f"svg must be one svg element, got {svg!r:.60}")
        self.svg, self.alt, self.caption = svg, alt, caption
        super().__init__(html=self.to_html(), **traits)

    def to_html(self) -> str:
        """Return the diagram for a page, in a box that scrolls sideways on a narrow page."""
        below = f"<figcaption>{html.escape(self.caption)}</figcaption>" if self.caption else ""
        return (
            f'<figure class="tl-diagram"><div class="scroll-box" role="group" '
            f'aria-label="Diagram">{self.svg}</div>{below}</figure>'
        )

    def __repr__(self) -> str:
        return self.alt


def check_alt(alt: object) -> None:
    """Require a text that describes the drawing."""
    check_label("alt", alt)
    if len(str(alt)) < SHORTEST_ALT:
        raise ValueError(
            f"alt must say what the diagram shows in at least {SHORTEST_ALT} characters, "
            f"got {len(str(alt))}: {alt!r}"
        )
