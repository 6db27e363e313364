"""Practice on a page: questions and drills get an id, and a prediction covers its answer.

Each question, prediction and drill is in a box with an id made from its cell's id, so that a link
can lead to it and `progress.js` can count it. The directive `progress` lists these counts.

The answer to a prediction is covered until the reader guesses or asks to see it. It consists of the
next code cells and the first text after them, or of as many cells as `predict(…, covers=…)` says.
It ends at the next heading or prediction. The text stays in the page: `first.js` hides it with
`hidden="until-found"` before it is drawn. So it is visible without scripts and on paper, and the
browser's search and links can find it. `covers.js` opens it.
"""

import ast
from collections.abc import Iterator
from itertools import takewhile

from chapter_cells import calls_in
from chapter_facts import Chapter
from chapter_lists import chapter_of
from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

KINDS = {"question": "quiz", "predict": "prediction", "drill": "drill"}


class Cover(nodes.General, nodes.Element):
    """A prediction and what it covers."""


class Covered(nodes.General, nodes.Element):
    """What a prediction covers."""


def prepare(app: Sphinx, doctree: nodes.document) -> None:
    """Give ids to the practice on a page, and cover the answers to its predictions."""
    chapter = chapter_of(app.env)
    if chapter is None:
        return
    practised = list(practice_of(chapter, doctree))
    for box, kind, _ in practised:
        cell_id = chapter.cells[box["cell_index"]]["id"]
        box["ids"].append(f"practice-{cell_id}")
        box["classes"] += ["tl-practice", f"tl-{kind}"]
    for box, kind, call in practised:
        if kind == "prediction":
            try:
                wrap(box, extent(box, covers_of(call)))
            except ValueError as error:
                raise ExtensionError(
                    f"{chapter.name}.ipynb, cell {box['cell_index']}: {error}"
                ) from None


def practice_of(
    chapter: Chapter, doctree: nodes.document
) -> Iterator[tuple[nodes.container, str, ast.Call]]:
    """Yield each cell's box that asks something, with its kind and the call in the cell."""
    for box in doctree.findall(is_cell):
        for name, call in calls_in(chapter.cells[box["cell_index"]]):
            if name in KINDS:
                yield box, KINDS[name], call


def is_cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def covers_of(call: ast.Call) -> int | None:
    """Return how many cells a prediction asks to cover; None if it does not say."""
    values = [word.value for word in call.keywords if word.arg == "covers"]
    return ast.literal_eval(values[0]) if values else None


def extent(box: nodes.container, covers: int | None) -> list[nodes.Node]:
    """Return the nodes after a prediction that it covers.

    Raises:
        ValueError: a heading or a prediction comes too early, or the page ends.
    """
    behind = box.parent[box.parent.index(box) + 1 :]
    free = list(takewhile(lambda node: not ends_a_cover(node), behind))
    places = places_of(free, box["cell_index"])
    last = box["cell_index"] + covers if covers else default_extent(free, places)
    chosen = [node for node, place in zip(free, places, strict=True) if place <= last]
    if (covers and last not in places) or not any(map(is_cell, chosen)):
        wanted = f"{covers} cells" if covers else "a code cell"
        found = len(set(places))
        raise ValueError(
            f"predict must have {wanted} to cover before the next heading or prediction, "
            f"got {found} cells"
        )
    return chosen


def ends_a_cover(node: nodes.Node) -> bool:
    return isinstance(node, nodes.section) or (is_cell(node) and "tl-prediction" in node["classes"])


def places_of(behind: list[nodes.Node], start: int) -> list[int]:
    """Return the cell index of each node: myst-nb numbers the lines of cell 0 from 10000 on."""
    places = [start]
    for node in behind:
        line = getattr(node, "line", None)
        places.append(line // 10_000 - 1 if line else places[-1])
    return places[1:]


def default_extent(behind: list[nodes.Node], places: list[int]) -> int:
    """Return the index of the first text after at least one code cell, or of the last cell."""
    code = [place for node, place in zip(behind, places, strict=True) if is_cell(node)]
    texts = (
        place
        for node, place in zip(behind, places, strict=True)
        if code and place > code[0] and not is_cell(node)
    )
    return next(texts, max(places, default=-1))


def wrap(box: nodes.container, hidden: list[nodes.Node]) -> None:
    """Put a prediction and the nodes that it covers into one box."""
    parent, name = box.parent, box["ids"][0].replace("practice-", "answer-")
    cover, answer = Cover(), Covered(ids=[name])
    parent.insert(parent.index(box), cover)
    for node in [box, *hidden]:
        parent.remove(node)
    answer.extend(hidden)
    cover.extend([box, answer])


BAR = """<div class="tl-cover-bar" hidden>
<span>The answer is covered until you guess.</span>
<button type="button" aria-expanded="false" aria-controls="{id}">Show me</button>
</div>
<div class="tl-covered" id="{id}">
"""


def open_cover(self: HTML5Translator, node: Cover) -> None:
    self.body.append('<div class="tl-cover">\n')


def open_covered(self: HTML5Translator, node: Covered) -> None:
    self.body.append(BAR.format(id=node["ids"][0]))


def close(self: HTML5Translator, node: nodes.Element) -> None:
    self.body.append("</div>\n")


class Progress(SphinxDirective):
    """List the progress stored in the reader's browser, with a button that erases it."""

    def run(self) -> list[nodes.Node]:
        NbMetadataCollector.set_doc_data(self.env, self.env.docname, "progress", True)
        return [nodes.raw("", PANEL, format="html")]


PANEL = """<div class="tl-progress-panel" hidden>
<ul></ul>
<p><button type="button">Erase my progress</button></p>
<p class="tl-sure" hidden>Erase all that this browser keeps of what you did in this book?
<button type="button">Yes, erase it</button> <button type="button">No, keep it</button></p>
<p role="status"></p>
</div>
"""


def add_scripts(app: Sphinx, pagename: str, *_: object) -> None:
    """Load the page's scripts; the progress list must be listening before the first event."""
    if NbMetadataCollector.get_doc_data(app.env)[pagename].get("progress"):
        app.add_js_file("progress_page.js", loading_method="defer", priority=400)


def setup(app: Sphinx) -> None:
    for node, visit in ((Cover, open_cover), (Covered, open_covered)):
        app.add_node(node, html=(visit, close))
    app.add_directive("progress", Progress)
    app.add_js_file("covers.js", loading_method="defer")
    app.add_js_file("stored.js", loading_method="defer", priority=300)
    app.add_js_file("progress.js", loading_method="defer")
    app.connect("doctree-read", prepare)
    app.connect("html-page-context", add_scripts)
