"""The pictures of a chapter: its live figures, diagrams and plots, each with an anchor.

`pictures_in` reads them from a page whose widgets have already been replaced. It gives each output
with a picture an id, so that a link can lead to the picture itself.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from chapter_cells import FIGURES, first_line
from chapter_facts import Chapter
from docutils import nodes

LIVE = re.compile(r'<div class="tl-host" data-figure="(\w+)"')
DRAWING = re.compile(r"<svg.*</svg>", re.DOTALL)
WORDS = re.compile(r'<svg[^>]*?aria-label="([^"]*)"')
CAPTION = re.compile(r"<figcaption>(.*?)</figcaption>", re.DOTALL)
LIVE_FIGURES = {cls.name: cls for cls in FIGURES.values() if cls.name != "question"}


@dataclass(frozen=True)
class Picture:
    """One picture of a chapter.

    Attributes:
        kind: "live", "diagram" or "plot".
        title: its caption, or the first sentence of what it shows.
        words: a description for readers who cannot see it.
        anchor: the id of its output on the page.
        node: the picture's node in the document tree.
    """

    kind: str
    title: str
    words: str
    anchor: str
    node: nodes.Node

    @property
    def name(self) -> str:
        """Return the name of a live figure, such as "mask_lab"; empty for other pictures."""
        found = LIVE.search(self.node.astext()) if self.kind == "live" else None
        return found[1] if found else ""


def pictures_in(chapter: Chapter, doctree: nodes.document) -> Iterator[Picture]:
    """Yield the pictures of a chapter in page order."""
    for box in list(doctree.findall(is_output)):
        found = [picture for node in box.findall() if (picture := read(node))]
        if found:
            anchor = f"figure-{chapter.cells[box.parent['cell_index']]['id']}"
            if anchor not in box["ids"]:
                box["ids"].append(anchor)
        for kind, title, words, node in found:
            yield Picture(kind, title, words, anchor, node)


def is_output(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_output"


def read(node: nodes.Node) -> tuple[str, str, str, nodes.Node] | None:
    """Return kind, title, description and node of a picture; None for any other node."""
    if isinstance(node, nodes.image) and node.get("alt"):
        return "plot", first_sentence(node["alt"]), node["alt"], node
    if not isinstance(node, nodes.raw):
        return None
    text = node.astext()
    live = LIVE.search(text)
    if live and live[1] in LIVE_FIGURES:
        words = first_line(LIVE_FIGURES[live[1]].__doc__)
        return "live", words, words, node
    if text.startswith('<figure class="tl-diagram">'):
        words = html.unescape(WORDS.search(text)[1])
        caption = CAPTION.search(text)
        title = html.unescape(caption[1]) if caption else first_sentence(words)
        return "diagram", title, words, node
    return None


def first_sentence(text: str) -> str:
    """Return the first sentence of a text.

    >>> first_sentence("A line at 0.5. Above it, dots.")
    'A line at 0.5.'
    """
    return re.split(r"(?<=[.?])\s", " ".join(text.split()), maxsplit=1)[0]
