"""The Review page and the page that adds up a class's check-ups: their containers and scripts.

Every quiz question and drill of a chapter is recorded while the chapter is read, with the places
that explain it. A cell's metadata names them, as in `"see": "the-shapes tour-mask_lab-3"`; the
default is the section that contains the cell. `review_cards.py` writes them to files. A drill's
own script loads when the drill is asked.
"""

import json
import re
from typing import Any

from chapter_facts import Chapter
from chapter_lists import chapter_of
from docutils import nodes
from live_figures import shared_scripts
from moments import tour_texts
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from lessons.kit.drills import DRILLS

FIGURE = re.compile(
    r'data-figure="(\w+)".*?<script type="application/json">(.*?)</script>', re.DOTALL
)
KINDS = {"tl-quiz": "quiz", "tl-drill": "drill"}
AFTER_PRACTICE = 800  # after practice.py has given the boxes their ids
DATA = ["index", "items"]
# The scripts that each page needs for itself, in this order.
SCRIPTS = {
    "review": ["ts-fsrs/index.umd", *DATA, "plan", "file", "drawn", "asking", "checkup", "page"],
    "class-checkups": [*DATA, "class_page"],
}
logger = logging.getLogger(__name__)
PLACE = """<div class="tl-{name}" hidden></div>
<noscript><p>This page needs scripts: it works in your browser alone.</p></noscript>
"""


class Place(SphinxDirective):
    """The container that asks things again, or that adds up a class's check-ups."""

    def run(self) -> list[nodes.Node]:
        NbMetadataCollector.set_doc_data(self.env, self.env.docname, "review_page", self.name)
        return [nodes.raw("", PLACE.format(name=self.name), format="html")]


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Record what a chapter asks."""
    chapter = chapter_of(app.env)
    if chapter is None:
        return
    items = (
        item(chapter, doctree, box, kind)
        for box in doctree.findall(nodes.container)
        for css, kind in KINDS.items()
        if css in box["classes"]
    )
    NbMetadataCollector.set_doc_data(app.env, app.env.docname, "review", [*filter(None, items)])


def item(
    chapter: Chapter, doctree: nodes.document, box: nodes.container, kind: str
) -> dict[str, Any] | None:
    """Return a question or drill and where it is explained; None if its cell never ran."""
    found = FIGURE.search("".join(raw.astext() for raw in box.findall(nodes.raw)))
    if found is None:
        return None
    section = box.parent
    while not isinstance(section, nodes.section):
        section = section.parent
    anchors = chapter.cells[box["cell_index"]]["metadata"].get("see") or section["ids"][0]
    figure, state = found[1], json.loads(found[2])
    return {
        "id": f"{chapter.name}#{box['ids'][-1]}",
        "kind": kind,
        "chapter": chapter.name,
        "see": [place_of(chapter, doctree, anchor) for anchor in anchors.split()],
        "figure": figure,
        "state": state if kind == "quiz" else {},
    }


def place_of(chapter: Chapter, doctree: nodes.document, anchor: str) -> dict[str, str]:
    """Return the link to a section of a chapter, or to a moment of its figure.

    If it has neither, as when the figure's cell did not run, return a link to the chapter.
    """
    section = doctree.ids.get(anchor)
    if isinstance(section, nodes.section):
        text = f"{chapter.title}: {section[0].astext()}"
    elif anchor in tour_texts(doctree):
        text = f"its figure, at moment {anchor.rpartition('-')[2]}"
    else:
        rule = "see must name a section or a moment of its chapter"
        logger.warning("%s, got %r", rule, anchor, location=chapter.docname)
        return {"href": f"../notebooks/{chapter.name}.html", "text": chapter.title}
    return {"href": f"../notebooks/{chapter.name}.html#{anchor}", "text": text}


def add_scripts(app: Sphinx, pagename: str, *_: object) -> None:
    """Load the scripts that the directive's page needs."""
    name = NbMetadataCollector.get_doc_data(app.env)[pagename].get("review_page")
    if not name:
        return
    drills = DRILLS if name == "review" else ()
    figures = shared_scripts("question", *drills)
    own = SCRIPTS[name]
    for file in [*(f"figures/{file}" for file in figures), *(f"review/{file}" for file in own)]:
        app.add_js_file(f"{file}.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    for name in SCRIPTS:
        app.add_directive(name, Place)
    app.add_js_file("review/cards.js", loading_method="defer")
    app.add_js_file("review/kept.js", loading_method="defer")
    app.connect("doctree-read", collect, priority=AFTER_PRACTICE)
    app.connect("html-page-context", add_scripts)
