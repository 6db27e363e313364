"""The pages that show every figure of the book as a picture, one page for each part.

`figure-index Attention` makes a section for each chapter of that part. All chapters have been read
by the time the page is written, so their pictures can be copied from them, each with its caption
and a link to its place. A live figure is shown as its static picture, which needs no script.
`figure-parts` lists the parts and their chapters with links to these sections.
"""

import html
import re
from pathlib import Path

from chapter_facts import Chapter, read_chapter
from chapter_lists import ChapterDirective, parts_of
from chapter_pictures import DRAWING, Picture, pictures_in
from docutils import nodes
from sphinx.application import Sphinx

STATIC = re.compile(r'<div class="lf-static">(.*)</div><script type="application/json">', re.DOTALL)
KINDS = {"live": "Live figure", "diagram": "Diagram", "plot": "Plot"}


class Shelf(nodes.General, nodes.Element):
    """A placeholder for the pictures of a chapter."""


def anchor(chapter: Chapter) -> str:
    """Return the id of a chapter's section."""
    return f"figures-of-{chapter.name.replace('_', '-')}"


class FigureIndex(ChapterDirective):
    """Make a section for each chapter of a part, with a shelf for its pictures."""

    required_arguments = 1
    final_argument_whitespace = True

    def build_nodes(self) -> list[nodes.Node]:
        self.chapters()
        self.env.note_dependency(str(Path(__file__)))
        parts = dict(parts_of(self.env))
        part = self.arguments[0]
        if part not in parts:
            raise ValueError(f"the part must be one of {', '.join(map(str, parts))}, got {part!r}")
        return [
            nodes.section(
                "",
                nodes.title("", chapter.title),
                Shelf(chapter=chapter.name),
                ids=[anchor(chapter)],
                names=[f"figures of {chapter.name}"],
            )
            for chapter in parts[part]
        ]


class FigureParts(ChapterDirective):
    """List the parts with links to their pages, and the chapters with links to their sections."""

    def build_nodes(self) -> list[nodes.Node]:
        self.chapters()
        rows = [self.row(str(part), chapters) for part, chapters in parts_of(self.env)]
        return [self.table(["Page", "Chapters"], rows)]

    def row(self, part: str, chapters: list[Chapter]) -> list[nodes.Node | list[nodes.Node]]:
        page = f"book/figures_{part.lower().replace(' ', '_')}"
        address = self.env.app.builder.get_relative_uri(self.env.docname, page)
        links = [
            nodes.reference("", c.listed, refuri=f"{address}#{anchor(c)}", ids=[anchor(c)])
            for c in chapters
        ]
        whole = nodes.reference("", f"Figures: {part}", refuri=address)
        return [nodes.paragraph("", "", whole), [nodes.paragraph("", "", one) for one in links]]


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
    app.add_directive("figure-parts", FigureParts)
    app.connect("doctree-resolved", fill)
