"""Links to the cells of chapters: every code cell gets a label made of its id.

A question, a prediction and a drill have an id on their page already (`practice.py`); a link to an
exercise leads to its heading, so that a reader begins with what is asked.
"""

from typing import cast

from chapter_lists import chapter_of, link
from docutils import nodes
from practice import is_cell
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment

from lessons.kit.cells import is_tagged


def cell_link(env: BuildEnvironment, cell: dict, label: nodes.Node) -> nodes.Node:
    """Return a link to a chapter's cell, as the notebook holds it, with `label` as its text."""
    return link(env, "ref", label_of(cell), label, own_text=True)


def label_of(cell: dict) -> str:
    return f"cell-{cell['id']}".lower()


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give every code cell of a chapter a label, and an id where it has none."""
    chapter = chapter_of(app.env)
    if chapter is None:
        return
    standard = cast(StandardDomain, app.env.get_domain("std"))
    for box in doctree.findall(is_cell):
        cell = chapter.cells[box["cell_index"]]
        place = place_of(cell, box)
        if place is not box or not box["ids"]:
            place["ids"].append(label_of(cell))
        standard.note_hyperlink_target(label_of(cell), app.env.docname, place["ids"][-1])


def place_of(cell: dict, box: nodes.container) -> nodes.Element:
    """Return where a link to a cell leads: to the cell, or to the section of an exercise."""
    in_section = is_tagged(cell, "exercise") and isinstance(box.parent, nodes.section)
    return cast(nodes.Element, box.parent) if in_section else box


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", name_cells, priority=600)  # practice.py names its boxes before
