"""The map of the chapters and the lists of what they contain, all read from the notebooks.

`chapter-map` draws which chapter leads to which, and lists what each one promises. `figure-list`
and `exercise-list` list the figures and exercises of the chapters.
"""

from pathlib import Path

from chapter_cells import ExerciseCell, exercises_of
from chapter_facts import Chapter, read_chapter
from chapter_map import drawing
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

DIFFICULTY = {1: "●○○ easy", 2: "●●○ steady", 3: "●●● steep"}


def chapters_of(env: BuildEnvironment) -> dict[str, Chapter]:
    """Return the chapters of the book by name, in the order of the book."""
    paths = sorted(Path(env.srcdir, "notebooks").glob("[0-9][0-9]_*.ipynb"))
    known = (path for path in paths if f"notebooks/{path.stem}" in env.found_docs)
    return {path.stem: read_chapter(path) for path in known}


def chapter_of(env: BuildEnvironment, docname: str = "") -> Chapter | None:
    """Return the chapter on a page, by default the current page; None if it is not a chapter."""
    return chapters_of(env).get((docname or env.docname).removeprefix("notebooks/"))


def parts_of(env: BuildEnvironment) -> list[tuple[str | None, list[Chapter]]]:
    """Return each part of the book that has chapters, with its caption if it has one."""
    chapters = chapters_of(env).values()
    subtrees = vars(env)["external_site_map"].root.subtrees  # set by sphinx-external-toc
    parts = [(part.caption, [str(item) for item in part.items]) for part in subtrees]
    chapters_by_part = [
        (caption, [c for c in chapters if c.docname in names]) for caption, names in parts
    ]
    return [(caption, found) for caption, found in chapters_by_part if found]


def needs(env: BuildEnvironment, chapter: Chapter, chapters: dict[str, Chapter]) -> nodes.Node:
    """Return the prerequisites of a chapter: links to chapters, then other knowledge."""
    found = [chapters[name] for name in chapter.facts.needs if name in chapters]
    parts = [chapter_link(env, other, other.short_title) for other in found]
    parts += map(nodes.Text, chapter.facts.background)
    return nodes.inline("", "", *between(parts or [nodes.Text("nothing")]))


def link(env: BuildEnvironment, kind: str, target: str, label: nodes.Node, own_text: bool = False):
    """Return a link to a page (`kind` "doc") or to a label ("ref"), which Sphinx resolves later.

    Args:
        env: the build environment, which knows the page that contains the link.
        kind: the standard domain's type of reference.
        target: the page, relative to the book's root, as in "/book/errata", or the label.
        label: the text to show; the title of the page replaces it unless `own_text` is true.
    """
    return addnodes.pending_xref(
        "",
        label,
        refdomain="std",
        reftype=kind,
        reftarget=target,
        refdoc=env.docname,
        refexplicit=own_text,
        refwarn=True,
    )


def chapter_link(env: BuildEnvironment, chapter: Chapter, text: str) -> nodes.Node:
    return link(env, "doc", f"/{chapter.docname}", nodes.inline("", text), own_text=True)


def between(parts: list[nodes.Node]) -> list[nodes.Node]:
    """Join the parts with commas."""
    return [node for part in parts for node in (nodes.Text(", "), part)][1:]


class ChapterDirective(SphinxDirective):
    """The base class of directives about chapters, with links to them and a table.

    A ValueError raised in `build_nodes` is reported as an error of the directive.
    """

    def run(self) -> list[nodes.Node]:
        try:
            return self.build_nodes()
        except ValueError as error:
            raise self.error(str(error)) from None

    def build_nodes(self) -> list[nodes.Node]:
        raise NotImplementedError

    def chapters(self) -> dict[str, Chapter]:
        chapters = chapters_of(self.env)
        for name in ["_toc.yml", *(f"{chapter.docname}.ipynb" for chapter in chapters.values())]:
            self.env.note_dependency(str(Path(self.env.srcdir, name)))
        return chapters

    def link(self, chapter: Chapter) -> nodes.Node:
        return chapter_link(self.env, chapter, chapter.listed)

    def table(self, heads: list[str], rows: list[list], css: str = "chapter-table") -> nodes.table:
        group = nodes.tgroup("", *(nodes.colspec() for _ in heads), cols=len(heads))
        texts = [nodes.paragraph("", head) for head in heads]
        group += nodes.thead("", row_of(texts))
        group += nodes.tbody("", *map(row_of, rows))
        return nodes.table("", group, classes=[css])


def row_of(items: list[nodes.Node | list[nodes.Node]]) -> nodes.row:
    """Return a row of a table; each cell contains one or more nodes."""
    cells = (item if isinstance(item, list) else [item] for item in items)
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


class ChapterMap(ChapterDirective):
    """Draw which chapter leads to which, and list minutes, difficulty and prerequisites."""

    def build_nodes(self) -> list[nodes.Node]:
        chapters = self.chapters()
        heads = ["Chapter", "You find out", "Minutes", "Difficulty", "Needs"]
        return [
            nodes.raw(
                "", drawing([found for _, found in parts_of(self.env)], self.href), format="html"
            ),
            self.table(heads, [self.row(chapter, chapters) for chapter in chapters.values()]),
        ]

    def row(self, chapter: Chapter, chapters: dict[str, Chapter]) -> list[nodes.Node]:
        facts = chapter.facts
        return [
            nodes.paragraph("", "", self.link(chapter)),
            nodes.paragraph("", facts.promise),
            nodes.paragraph("", str(facts.minutes)),
            nodes.paragraph("", DIFFICULTY[facts.difficulty]),
            nodes.paragraph("", "", needs(self.env, chapter, chapters)),
        ]

    def href(self, chapter: Chapter) -> str:
        return self.env.app.builder.get_relative_uri(self.env.docname, chapter.docname)


class ExerciseList(ChapterDirective):
    """List each chapter's exercises: name, task, and whether it is a bug hunt."""

    def build_nodes(self) -> list[nodes.Node]:
        rows = [
            self.row(chapter, found)
            for chapter in self.chapters().values()
            for found in exercises_of(chapter).values()
        ]
        return [self.table(["Chapter", "Exercise", "What your function does", "Kind"], rows)]

    def row(self, chapter: Chapter, found: ExerciseCell) -> list[nodes.Node]:
        return [
            nodes.paragraph("", "", self.link(chapter)),
            nodes.paragraph("", "", nodes.literal("", found.exercise.name)),
            nodes.paragraph("", found.task),
            nodes.paragraph("", "find the bug" if found.exercise.is_bug_hunt else "write it"),
        ]


def setup(app: Sphinx) -> None:
    app.add_directive("chapter-map", ChapterMap)
    app.add_directive("exercise-list", ExerciseList)
