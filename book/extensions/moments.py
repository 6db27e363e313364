"""Moments of a figure's tour, listed where a lesson plan uses them.

The role `` {moments}`mask_lab 2 5` `` lists moments 2 and 5 of the mask lab. Each is shown as the
first sentence of its text, with the numbers filled in, and links to the figure at that moment. A
second link leads to its screen on the projector. The text is read from the chapter's page.
"""

import html
import re
from pathlib import Path

from chapter_cells import FIGURES, calls_in, code_cells
from chapter_facts import Chapter
from chapter_lists import chapters_of
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from lessons.kit.figures import shared

TOUR_TEXT = re.compile(r'<li id="(tour-\w+-\d+)">(.*?)</li>', re.DOTALL)
FIRST = re.compile(r".*?[.?](?=\s|$)", re.DOTALL)
logger = logging.getLogger(__name__)


class Moment(nodes.Inline, nodes.Element):
    """A placeholder for moment `number`, which is at `anchor` on the page `chapter`."""


def toured(chapter: Chapter) -> dict[str, int]:
    """Return the figures of a chapter that have a tour, with their numbers of moments."""
    calls = (call for cell in code_cells(chapter) for call in calls_in(cell))
    names = {
        FIGURES[name].name
        for name, call in calls
        if name in FIGURES and any(word.arg == "tour" for word in call.keywords)
    }
    return {name: len(shared(name)["tour"]) for name in names}


def read_moments(text: str, chapters: dict[str, Chapter]) -> tuple[Chapter, str, list[int]]:
    """Parse a role's text into the chapter, the figure and the numbers of its moments.

    Raises:
        ValueError: no chapter has this figure with a tour, or its tour has no such moment.
    """
    name, *numbers = text.split()
    chapter = next((one for one in chapters.values() if name in toured(one)), None)
    if chapter is None:
        rule = "moments must name a figure with a tour, as in 'mask_lab 2'"
        raise ValueError(f"{rule}, got {name!r}")
    known = [str(number) for number in range(1, toured(chapter)[name] + 1)]
    if not numbers or not set(numbers) <= set(known):
        raise ValueError(f"moments of {name} must be some of 1 to {known[-1]}, got {numbers}")
    return chapter, name, [int(number) for number in numbers]


class Moments(SphinxRole):
    """Insert a placeholder for each moment, which is filled once all chapters are read."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        chapters = chapters_of(self.env)
        try:
            chapter, name, numbers = read_moments(self.text, chapters)
        except ValueError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        self.env.note_dependency(str(Path(self.env.doc2path(chapter.docname))))
        return [
            Moment(chapter=chapter.docname, anchor=f"tour-{name}-{number}", number=number)
            for number in numbers
        ], []


def tour_texts(doctree: nodes.document) -> dict[str, str]:
    """Return the texts of the moments of a page's figures, by anchor."""
    raws = "".join(node.astext() for node in doctree.findall(nodes.raw))
    return {anchor: html.unescape(text) for anchor, text in TOUR_TEXT.findall(raws)}


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Show each moment as its first sentence, with links to its figure and to its screen.

    If the figure's cell did not run, show only a link to the chapter.
    """
    places = list(doctree.findall(Moment))
    pages = {place["chapter"] for place in places}
    said = {page: tour_texts(app.env.get_doctree(page)) for page in pages}
    for place in places:
        page = app.builder.get_relative_uri(docname, place["chapter"])
        words = said[place["chapter"]].get(place["anchor"])
        if words is None:
            what = f"{place['chapter']} shows no {place['anchor']}: did its cell run?"
            logger.warning(what, location=docname)
            place.replace_self(reference(page, f"moment {place['number']}"))
            continue
        text = FIRST.match(words)[0]
        address = f"{page}#{place['anchor']}"
        what = reference(address, f"moment {place['number']}: {text}")
        title = f"Moment {place['number']} on the projector"
        screen = reference(f"{address}&projector", "projector", title, ["teaching-screen"])
        parts = what, nodes.Text(" "), screen
        place.replace_self(nodes.inline("", "", *parts, classes=["teaching-moment"]))


def reference(address: str, text: str, title: str = "", classes: list[str] | None = None):
    """Return a link inside the book."""
    label = nodes.inline("", text)
    attributes = {"reftitle": title} if title else {}
    classes = classes or []
    return nodes.reference(
        "", "", label, refuri=address, internal=True, classes=classes, **attributes
    )


def setup(app: Sphinx) -> None:
    app.add_node(Moment)
    app.add_role("moments", Moments())
    app.connect("doctree-resolved", fill)
