"""Add the lines under a chapter's title: number, minutes, difficulty, needs, and the machine.

A chapter that explains a station of the walk links to it. The list of all pages shows the number
of each chapter before its title.
"""

from pathlib import Path

from chapter_facts import read_chapter
from chapter_lists import DIFFICULTY, chapter_of, chapters_of, needs
from docutils import nodes
from machine_map import machine_map
from sphinx.application import Sphinx
from sphinx.config import Config
from walk_stations import to_the_walk


def open_chapter(app: Sphinx, doctree: nodes.document) -> None:
    """Put the facts and the machine under the title of a chapter."""
    chapters, chapter = chapters_of(app.env), chapter_of(app.env)
    title = next(doctree.findall(nodes.title), None)
    if chapter is None or title is None:
        return
    facts = chapter.facts
    line = f"Chapter {chapter.number} · {facts.minutes} minutes · {DIFFICULTY[facts.difficulty]} · "
    line += "You need first: "
    first = nodes.Text(line), needs(app.env, chapter, chapters), nodes.Text(".")
    walk = to_the_walk(app, chapter)
    section = title.parent
    facts_line = nodes.paragraph("", "", *first, *walk, classes=["chapter-facts"])
    where = machine_map(app.builder, app.env.docname, chapters, facts.lit)
    place = section.index(title) + 1
    section[place:place] = [facts_line, where]


def number_chapters(app: Sphinx, config: Config) -> None:
    """Show the chapter numbers in the list of pages, as texts and file names use them."""
    for name, page in config.external_site_map.items():  # set by sphinx-external-toc
        path = Path(app.srcdir, f"{name}.ipynb")
        if path.exists():
            page.title = read_chapter(path).listed


def setup(app: Sphinx) -> None:
    app.connect("config-inited", number_chapters, priority=950)  # after the table of contents
    app.connect("doctree-read", open_chapter)
