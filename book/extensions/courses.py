"""The courses of the teaching guide: which chapters, drills and exercises each session has.

`course 6` holds a list of six sessions in YAML. `class` and `read` name chapters, with words behind
a name if only a part is meant; `drills` and `homework` name drills and exercises of chapters that
the course has reached::

    - class: [05_attention, 06_the_cat_sat up to its bound]
      drills: [scores]
      homework: [attention.attend]
      read: [07_scaling]

No chapter comes before what it needs. With `:all:` every chapter has its place in class.
"""

from collections.abc import Iterable, Iterator

import yaml
from cell_links import cell_link
from chapter_cells import drills_of, exercises_of
from chapter_facts import Chapter
from chapter_lists import ChapterDirective, between, chapter_link
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from lessons.kit.drills.live_drill import static_problem

KEYS = ("class", "drills", "homework", "read")
Session = dict[str, list[str]]


def read_sessions(text: str, count: int) -> list[Session]:
    """Read the sessions of a course.

    Raises:
        ValueError: the text is no YAML, does not list `count` sessions, or a session holds
            anything but lists of texts under the four keys.
    """
    try:
        told = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"course must be YAML: {error}") from None
    if not isinstance(told, list) or len(told) != count:
        found = len(told) if isinstance(told, list) else "no list"
        raise ValueError(f"course must list {count} sessions, got {found}")
    for number, session in enumerate(told, start=1):
        keys = list(session) if isinstance(session, dict) else []
        if "class" not in keys or set(keys) - set(KEYS):
            rule = f"class and may have {', '.join(KEYS[1:])}"
            raise ValueError(f"session {number} must have {rule}, got {keys or session!r}")
        for key, names in session.items():
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ValueError(f"session {number}: {key} must be a list of texts, got {names!r}")
    return [{key: session.get(key, []) for key in KEYS} for session in told]


def name_of(entry: str) -> str:
    return entry.partition(" ")[0]


def reached(sessions: Iterable[Session]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each chapter in its turn: the session, its name and the names that came before."""
    before: list[str] = []
    for number, session in enumerate(sessions, start=1):
        for entry in session["class"] + session["read"]:
            yield number, name_of(entry), list(before)
            before.append(name_of(entry))


def check_course(sessions: list[Session], chapters: dict[str, Chapter], whole: bool) -> None:
    """See that a course can be taught as it stands.

    Args:
        sessions: as `read_sessions` returns them.
        chapters: all chapters by name.
        whole: whether each chapter must have its place in class.

    Raises:
        ValueError: a chapter is unknown or comes before one that it needs, a drill or an exercise
            belongs to no chapter that was reached, or a chapter is left out of a whole course.
    """
    for number, name, before in reached(sessions):
        if name not in chapters:
            raise ValueError(f"session {number} must name chapters, got {name!r}")
        early = [need for need in chapters[name].facts.needs if need not in before]
        if early:
            raise ValueError(f"session {number}: {name} needs {early[0]}, which has not come yet")
    known: dict[str, dict] = {}
    for number, session in enumerate(sessions, start=1):
        known |= things_of(chapters[name_of(entry)] for entry in session["class"])
        for thing in session["drills"] + session["homework"]:
            if thing not in known:
                raise ValueError(f"session {number}: no chapter so far has {thing!r}")
        known |= things_of(chapters[name_of(entry)] for entry in session["read"])
    left = [name for name in chapters if name not in taught(sessions)]
    if whole and left:
        raise ValueError(f"course must have all chapters in class, {left[0]} is left out")


def taught(sessions: Iterable[Session]) -> set[str]:
    """Return the chapters that a course teaches in class."""
    return {name_of(entry) for session in sessions for entry in session["class"]}


def things_of(chapters: Iterable[Chapter]) -> dict[str, dict]:
    """Return the cells of drills by name, and those of exercises as in attention.attend."""
    found: dict[str, dict] = {}
    for chapter in chapters:
        found |= {name: cell for cell, name in drills_of(chapter)}
        found |= {one.exercise.name: one.cell for one in exercises_of(chapter).values()}
    return found


class Course(ChapterDirective):
    """A table of the sessions of a course."""

    required_arguments = 1
    has_content = True
    option_spec = {"all": directives.flag}  # noqa: RUF012 - as docutils names it

    def made(self) -> list[nodes.Node]:
        chapters = self.chapters()
        sessions = read_sessions("\n".join(self.content), int(self.arguments[0]))
        check_course(sessions, chapters, "all" in self.options)
        things = things_of(chapters.values())
        rows = [
            [nodes.paragraph("", str(number)), *self.places(session, chapters, things)]
            for number, session in enumerate(sessions, start=1)
        ]
        return [self.table(["Session", "In class", "At home"], rows)]

    def places(
        self, session: Session, chapters: dict[str, Chapter], things: dict[str, dict]
    ) -> list[list[nodes.Node]]:
        """Return two cells: chapters and drills for the class, exercises and reading for home."""
        told = [self.chapter(entry, chapters) for entry in session["class"]]
        drills = [self.drill(name, things) for name in session["drills"]]
        done = [self.exercise(name, things) for name in session["homework"]]
        read = [self.chapter(entry, chapters) for entry in session["read"]]
        return [self.lines({"": told, "Drills: ": drills}), self.lines({"": done, "Read: ": read})]

    def lines(self, told: dict[str, list[nodes.Node]]) -> list[nodes.Node]:
        """Return a line for each heading that has entries."""
        return [
            nodes.paragraph("", "", nodes.Text(head), *between(parts))
            for head, parts in told.items()
            if parts
        ]

    def chapter(self, entry: str, chapters: dict[str, Chapter]) -> nodes.Node:
        name, space, words = entry.partition(" ")
        link = chapter_link(self.env, chapters[name], chapters[name].short_title)
        return nodes.inline("", "", link, nodes.Text(space + words))

    def drill(self, name: str, things: dict[str, dict]) -> nodes.Node:
        return cell_link(self.env, things[name], nodes.inline("", static_problem(name)["title"]))

    def exercise(self, name: str, things: dict[str, dict]) -> nodes.Node:
        return cell_link(self.env, things[name], nodes.literal("", name.partition(".")[2]))


def setup(app: Sphinx) -> None:
    app.add_directive("course", Course)
