"""The stations of the walk with their chapters, and the link from each chapter to its station.

`walk-stations` lists the stations on the page of the walk. Each has an anchor there, which the
figure also uses as an address. On paper, and without scripts, a link to a station leads to its
place in the list.
"""

from itertools import groupby

from chapter_facts import Chapter
from chapter_lists import ChapterDirective, between, chapter_link
from docutils import nodes
from sphinx.application import Sphinx

from lessons.the_walk.walk.walk import PLACES, Place, part_of

PAGE = "book/the_walk"


def anchor(place: Place) -> str:
    """Return the id of a station on the page of the walk."""
    return f"walk-{place.id}"


def first_station(chapter: Chapter) -> Place | None:
    """Return the first station that a chapter explains; None if it explains none."""
    return next((p for p in PLACES.values() if p.station["chapter"] == chapter.name), None)


def to_the_walk(app: Sphinx, chapter: Chapter) -> list[nodes.Node]:
    """Return the line that links a chapter to its station, if it has one."""
    place, env = first_station(chapter), app.env
    if place is None or PAGE not in env.found_docs:
        return []
    page = app.builder.get_relative_uri(env.docname, PAGE)
    link = nodes.reference("", "in the walk", refuri=f"{page}#{anchor(place)}", internal=True)
    return [nodes.Text(" See it at work "), link, nodes.Text(".")]


class WalkStations(ChapterDirective):
    """List the stations, with a line for each part of the machine."""

    def build_nodes(self) -> list[nodes.Node]:
        chapters = self.chapters()
        parts = groupby(PLACES.values(), key=part_of)
        return [
            nodes.bullet_list("", *(self.line(part, [*group], chapters) for part, group in parts))
        ]

    def line(self, part: str, places: list[Place], chapters: dict[str, Chapter]) -> nodes.list_item:
        """Return a list item with a part of the machine and its stations."""
        stations = between([self.station(place, chapters) for place in places])
        name = nodes.Text(f"{part[0].upper()}{part[1:]}: ")
        return nodes.list_item("", nodes.paragraph("", "", name, *stations))

    def station(self, place: Place, chapters: dict[str, Chapter]) -> nodes.Node:
        """Return a station as a link to its chapter."""
        name, chapter = place.station["name"], chapters.get(place.station["chapter"])
        label = nodes.Text(name) if chapter is None else chapter_link(self.env, chapter, name)
        return nodes.inline("", "", label, ids=[anchor(place)])


def setup(app: Sphinx) -> None:
    app.add_directive("walk-stations", WalkStations)
