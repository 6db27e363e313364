"""The page that shows every figure of the book as a picture.

`figure-index` makes a section for each chapter. All chapters have been read by the time the page is
written, so their pictures can be copied from them, each with its caption and a link to its place.
A live figure is shown as its static picture, which needs no script.
"""

import html
import re
from pathlib import Path

from chapter_facts import read_chapter
from chapter_lists import ChapterDirective
from chapter_pictures import DRAWING, Picture, pictures_in
from docutils import nodes
from sphinx.application import Sphinx

STATIC = re.compile(r'<div class="lf-static">(.*)</div><script type="application/json">', re.DOTALL)
KINDS = {"live": "Live figure", "diagram": "Diagram", "plot": "Plot"}


class Shelf(nodes.General, nodes.Element):
    """A placeholder for the pictures of a chapter."""


class FigureIndex(ChapterDirective):
    """Make a section for each chapter, with a shelf for its pictures."""

    def build_nodes(self) -> list[nodes.Node]:
        self.env.note_dependency(str(Path(__file__)))
        return [
            nodes.section(
                "",
                nodes.title("", chapter.title),
                Shelf(chapter=chapter.name),
                ids=[f"figures-of-{name.replace('_', '-')}"],
                names=[f"figures of {name}"],
            )
            for name, chapter in self.chapters().items()
        ]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the shelves with the pictures of their chapters."""
    for shelf in list(doctree.findall(Shelf)):
        chapter = read_chapter(Path(app.env.doc2path(f"notebooks/{shelf['chapter']}")))
        pictures = pictures_in(chapter, app.env.get_doctree(chapter.docname))
        page = app.builder.get_relative_uri(docname, chapter.docname)
        shelf.replace_self(
            [
                raw('<div class="tl-shelf">'),
                *(node for picture in pictures for node in card(picture, page)),
                raw("</div>"),
            ]
        )


def card(picture: Picture, page: str) -> list[nodes.Node]:
    """Return a picture and its caption, which links to its place."""
    caption = (
        f"<figcaption><span>{KINDS[picture.kind]}</span> "
        f'<a href="{page}#{picture.anchor}">{html.escape(picture.title)}</a></figcaption>'
    )
    return [raw('<figure class="tl-card">'), shown(picture), raw(f"{caption}</figure>")]


def shown(picture: Picture) -> nodes.Node:
    """Return the picture alone: an image, a drawing, or the printed form of a live figure."""
    if picture.kind == "plot":
        return picture.node.deepcopy()
    text = picture.node.astext()
    if picture.kind == "diagram":
        return raw(DRAWING.search(text)[0])
    words = html.escape(picture.words)
    still = STATIC.search(text)[1]
    return raw(
        f'<div class="tl-still" role="img" aria-label="{words}"><div inert>{still}</div></div>'
    )


def raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app: Sphinx) -> None:
    app.add_node(Shelf)
    app.add_directive("figure-index", FigureIndex)
    app.connect("doctree-resolved", fill)
