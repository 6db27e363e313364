"""The page that asks again: `review` is the place, and this extension brings what it asks.

Every quiz question and drill of a chapter is noted while the chapter is read, with the section it
stands in. All of them go into one script, which only the page with the directive loads, together
with the scheduler and what questions and drills need. A drill's own script loads when it is asked.
"""

import json
import re
from pathlib import Path
from typing import Any

from chapter_lists import chapter_of
from docutils import nodes
from living_figures import module_of
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from transformer_lite.drills import DRILLS
from transformer_lite.figures.kit.live_figure import kit_files

FIGURE = re.compile(
    r'data-figure="(\w+)".*?<script type="application/json">(.*?)</script>', re.DOTALL
)
KINDS = {"tl-quiz": "quiz", "tl-drill": "drill"}
AFTER_PRACTICE = 800  # boxes have their names
PLACE = """<div class="tl-review" hidden></div>
<noscript><p>Review needs scripts: it plans and asks in your browser.</p></noscript>
"""


class Review(SphinxDirective):
    """The place where things are asked again."""

    def run(self) -> list[nodes.Node]:
        NbMetadataCollector.set_doc_data(self.env, self.env.docname, "review_page", True)
        return [nodes.raw("", PLACE, format="html")]


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note what a chapter asks."""
    chapter = chapter_of(app.env)
    if chapter is None:
        return
    items = (
        item(chapter.name, chapter.title, box, kind)
        for box in doctree.findall(nodes.container)
        for css, kind in KINDS.items()
        if css in box["classes"]
    )
    NbMetadataCollector.set_doc_data(app.env, app.env.docname, "review", [*filter(None, items)])


def item(name: str, title: str, box: nodes.container, kind: str) -> dict[str, Any] | None:
    """Return a thing that can be asked again, and where it stands; None if it never ran."""
    found = FIGURE.search("".join(raw.astext() for raw in box.findall(nodes.raw)))
    if found is None:
        return None
    section = box.parent
    while not isinstance(section, nodes.section):
        section = section.parent
    figure, state = found[1], json.loads(found[2])
    return {
        "id": f"{name}#{box['ids'][-1]}",
        "kind": kind,
        "chapter": name,
        "title": title,
        "section": section[0].astext(),
        "anchor": section["ids"][0],
        "figure": figure,
        "state": state if kind == "quiz" else {},
    }


def write_items(app: Sphinx, env: BuildEnvironment) -> None:
    """Write what all chapters ask into one script."""
    if app.builder.format != "html":
        return
    kept = NbMetadataCollector.get_doc_data(env)
    pages = sorted(name for name in env.found_docs if name.startswith("notebooks/"))
    items = [one for name in pages for one in kept[name].get("review", [])]
    text = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
    path = Path(app.outdir) / "_static/review/items.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"globalThis.reviewItems = {text};\n", "utf-8")


def add_scripts(app: Sphinx, pagename: str, *_: object) -> None:
    """Load what the page of the directive needs."""
    if not NbMetadataCollector.get_doc_data(app.env)[pagename].get("review_page"):
        return
    kits = kit_files(*map(module_of, ["question", *DRILLS]))
    figures = ["host", *(f"kit/{name}" for name in kits), "question"]
    own = ["ts-fsrs/index.umd", "plan", "file", "items", "page"]
    for name in [*(f"figures/{name}" for name in figures), *(f"review/{name}" for name in own)]:
        app.add_js_file(f"{name}.js", loading_method="defer")


def setup(app: Sphinx) -> dict:
    app.add_directive("review", Review)
    app.add_js_file("review/kept.js", loading_method="defer")
    app.connect("doctree-read", collect, priority=AFTER_PRACTICE)
    app.connect("env-updated", write_items)
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
