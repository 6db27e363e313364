"""Show on a chapter's page, and in a build warning, which of its cells failed.

`.ci/run_chapters.py` keeps the outputs of a chapter up to its failure, so the page exists and shows
the error below the cell. A cell tagged `raises-exception` is meant to fail.
"""

from cell_links import label_of
from chapter_lists import chapter_of, link
from docutils import nodes
from practice import is_cell
from sphinx.application import Sphinx
from sphinx.util import logging

from lessons.kit.cells import is_tagged

logger = logging.getLogger(__name__)


def note(app: Sphinx, doctree: nodes.document) -> None:
    """Put a warning under the title of a chapter that did not run to the end."""
    chapter = chapter_of(app.env)
    for box in list(doctree.findall(is_cell)) if chapter else ():
        cell = chapter.cells[box["cell_index"]]
        blocks = [block for block in box.findall(nodes.literal_block) if is_traceback(block)]
        if not blocks or is_tagged(cell, "raises-exception"):
            continue
        error = blocks[0].astext().strip().rpartition("\n")[2]
        logger.warning("cell %s failed: %s", cell["id"], error, location=app.env.docname)
        where = link(app.env, "ref", label_of(cell), nodes.inline("", "a cell"), own_text=True)
        rest = nodes.Text(f" failed: {error}. What follows it has no results.")
        paragraph = nodes.paragraph("", "", nodes.Text("This chapter ends early: "), where, rest)
        title = next(doctree.findall(nodes.title))
        title.parent.insert(title.parent.index(title) + 1, nodes.warning("", paragraph))


def is_traceback(block: nodes.literal_block) -> bool:
    return "traceback" in block["classes"]


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", note)
