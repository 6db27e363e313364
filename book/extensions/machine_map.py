"""The drawing of the whole machine as a map: each part links to the chapter that explains it.

The map appears at the top of every chapter, with that chapter's parts lit. The directive `machine`
puts the large drawing, without links, on any other page.
"""

import html

from chapter_facts import Chapter
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.util.docutils import SphinxDirective

from lessons.kit.diagrams import whole
from lessons.kit.diagrams.machine import PARTS, machine_svg


def explained(chapters: dict[str, Chapter]) -> dict[str, Chapter]:
    """Return the chapter that explains each part: the first chapter with that main part.

    A chapter with more than two parts is about the whole machine and does not explain a single
    part.
    """
    found: dict[str, Chapter] = {}
    for chapter in chapters.values():
        if 1 <= len(chapter.facts.lit) <= 2:
            found.setdefault(chapter.facts.lit[0], chapter)
    return found


def machine_map(
    builder: Builder, docname: str, chapters: dict[str, Chapter], lit: tuple[str, ...] = ()
) -> nodes.raw:
    """Draw the map for a page; it is folded on a narrow screen."""
    links = {
        part: (
            builder.get_relative_uri(docname, chapter.docname) or "#",
            f"chapter {chapter.number}",
        )
        for part, chapter in explained(chapters).items()
    }
    where = ", ".join(PARTS[part].lower() for part in lit)
    title = f"Where you are in the machine: {where}" if lit else "The whole machine"
    return nodes.raw(
        "",
        f'<nav class="tl-m-map" aria-label="The machine"><details><summary>{html.escape(title)}'
        f'</summary><div class="scroll-box">{machine_svg(lit, links)}</div></details></nav>',
        format="html",
    )


class Machine(SphinxDirective):
    """Show a large drawing of the whole machine."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", whole.machine().to_html(), format="html")]


def setup(app: Sphinx) -> None:
    app.add_directive("machine", Machine)
