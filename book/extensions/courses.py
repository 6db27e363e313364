"""The courses of the teaching guide: the chapters, drills and exercises of each session.

`course 6` contains a YAML list of six sessions. `class` and `read` name chapters, with words after
the name if only a part is meant. `drills` and `homework` name drills and exercises of chapters that
the course has already reached::

    - class: [05_attention, 06_the_cat_sat up to its bound]
      drills: [scores]
      homework: [attention.attend]
      read: [07_scaling]

No chapter may come before its prerequisites. With `:all:` every chapter must be taught in class.
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
        ValueError: the text is not valid YAML, does not list `count` sessions, or a session has
            anything but lists of strings under the four keys.
    """
    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"course must be YAML: {error}") from None
    if not isinstance(loaded, list) or len(loaded) != count:
        found = len(loaded) if isinstance(loaded, list) else "no list"
        raise ValueError(f"course must list {count} sessions, got {found}")
    for number, session in enumerate(loaded, start=1):
        keys = list(session) if isinstance(session, dict) else []
        if "class" not in keys or set(keys) - set(KEYS):
            rule = f"class and may have {', '.join(KEYS[1:])}"
            raise ValueError(f"session {number} must have {rule}, got {keys or session!r}")
        for key, names in session.items():
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ValueError(f"session {number}: {key} must be a list of texts, got {names!r}")
    return [{key: session.get(key, []) for key in KEYS} for session in loaded]


def name_of(entry: str) -> str:
    return entry.partition(" ")[0]


def reached(sessions: Iterable[Session]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each chapter in order: the session, its name and the chapters before it."""
    before: list[str] = []
    for number, session in enumerate(sessions, start=1):
        for entry in session["class"] + session["read"]:
            yield number, name_of(entry), list(before)
            before.append(name_of(entry))


def check_course(sessions: list[Session], chapters: dict[str, Chapter], whole: bool) -> None:
    """Check that a course can be taught as written.

    Args:
        sessions: as `read_sessions` returns them.
        chapters: all chapters by name.
        whole: whether every chapter must be taught in class.

    Raises:
        ValueError: a chapter is unknown or comes before a prerequisite, a drill or an exercise
            belongs to a chapter that was not reached, or a whole course omits a chapter.
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
    """Return the cells of drills and exercises by name; exercises as in "attention.attend"."""
    found: dict[str, dict] = {}
    for chapter in chapters:
        found |= {name: cell for cell, name in drills_of(chapter)}
        found |= {item.exercise.name: item.cell for item in exercises_of(chapter).values()}
    return found


class Course(ChapterDirective):
    """Show a table of the sessions of a course."""

    required_arguments = 1
    has_content = True
    option_spec = {"all": directives.flag}  # noqa: RUF012 - as docutils names it

    def build_nodes(self) -> list[nodes.Node]:
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
        """Return two cells: chapters and drills for class, exercises and reading for home."""
        in_class = [self.chapter(entry, chapters) for entry in session["class"]]
        drills = [self.drill(name, things) for name in session["drills"]]
        done = [self.exercise(name, things) for name in session["homework"]]
        read = [self.chapter(entry, chapters) for entry in session["read"]]
        return [
            self.lines({"": in_class, "Drills: ": drills}),
            self.lines({"": done, "Read: ": read}),
        ]

    def lines(self, entries: dict[str, list[nodes.Node]]) -> list[nodes.Node]:
        """Return a line for each heading, without the headings that have no entries."""
        return [
            nodes.paragraph("", "", nodes.Text(head), *between(parts))
            for head, parts in entries.items()
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
