"""What stands under a chapter's title: minutes, difficulty, what to know first, and the machine.

A chapter that explains a station of the walk leads there.
"""

from chapter_lists import DIFFICULTY, chapter_of, chapters_of, needs
from docutils import nodes
from machine_map import machine_map
from sphinx.application import Sphinx
from walk_stations import to_the_walk


def open_chapter(app: Sphinx, doctree: nodes.document) -> None:
    """Put the line and the machine behind the title of a page that is a chapter."""
    chapters, chapter = chapters_of(app.env), chapter_of(app.env)
    title = next(doctree.findall(nodes.title), None)
    if chapter is None or title is None:
        return
    facts = chapter.facts
    line = f"{facts.minutes} minutes · {DIFFICULTY[facts.difficulty]} · You need first: "
    first = nodes.Text(line), needs(app.env, chapter, chapters), nodes.Text(".")
    walk = to_the_walk(app, chapter)
    section = title.parent
    facts_line = nodes.paragraph("", "", *first, *walk, classes=["chapter-facts"])
    where = machine_map(app.builder, app.env.docname, chapters, facts.lit)
    place = section.index(title) + 1
    section[place:place] = [facts_line, where]


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", open_chapter)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
