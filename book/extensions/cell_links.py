"""Links to the cells of chapters: every code cell gets a label made from its id.

Questions, predictions and drills already have an id on their page (`practice.py`). A link to an
exercise leads to its heading, so that a reader starts with the task.
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
    """Return a link to a cell of a chapter's notebook, with `label` as its text."""
    return link(env, "ref", label_of(cell), label, own_text=True)


def label_of(cell: dict) -> str:
    return f"cell-{cell['id']}".lower()


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give every code cell of a chapter a label, and an id if it has none."""
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
    """Return the target of a link to a cell: the cell itself, or the section of an exercise."""
    in_section = is_tagged(cell, "exercise") and isinstance(box.parent, nodes.section)
    return cast(nodes.Element, box.parent) if in_section else box


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", name_cells, priority=600)  # after practice.py has named its boxes
