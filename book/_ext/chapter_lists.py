"""The map of the chapters, and the lists of their figures and exercises, read from the notebooks.

Three directives. `chapter-map` holds one line a chapter: file name, difficulty from 1 to 3, and
what the reader finds out. Minutes and what comes first are read from the chapter's own opening.
`figure-list` and `exercise-list` need nothing.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

from chapter_map import drawing
from docutils import nodes
from links import link
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_lite import exercises, figures
from transformer_lite.figures import LiveFigure

FIGURES = {
    name: cls
    for name, cls in vars(figures).items()
    if isinstance(cls, type) and issubclass(cls, LiveFigure) and "name" in vars(cls)
}
MINUTES = re.compile(r"\*\*Time:\*\* (\d+) minutes")
NEEDS = re.compile(r"\*\*You need first:\*\*(.*?)\*\*Time:", re.DOTALL)
LINK = re.compile(r"\]\((\d\d_\w+)\.ipynb\)")
CHECK = re.compile(r"exercises\.(\w+)\.(\w+)\.check\(")
DIFFICULTY = {1: "●○○ easy", 2: "●●○ steady", 3: "●●● steep"}


@dataclass(frozen=True)
class Chapter:
    """What the lists say of one chapter."""

    name: str
    title: str
    minutes: int
    needs: tuple[str, ...]
    figures: tuple[str, ...]
    plots: tuple[str, ...]
    exercises: tuple[str, ...]

    @property
    def docname(self) -> str:
        return f"notebooks/{self.name}"


def read_chapter(path: Path) -> Chapter:
    """Read what the lists need from a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    code = [c for c in cells if c["cell_type"] == "code"]
    minutes = MINUTES.search(text)
    needs = NEEDS.search(text)
    if minutes is None or needs is None:
        raise ValueError(f"{path.name} must open with what is needed first and the minutes")
    alts = (c["metadata"].get("mystnb", {}).get("image", {}).get("alt") for c in code)
    asked = (CHECK.search("".join(c["source"])) for c in code if "exercise" in tags(c))
    return Chapter(
        path.stem,
        text.splitlines()[0].removeprefix("# "),
        int(minutes[1]),
        tuple(LINK.findall(needs[1])),
        tuple(dict.fromkeys(name for c in code for name in called(c) if name in FIGURES)),
        tuple(alt for alt in alts if alt),
        tuple(f"{match[1]}.{match[2]}" for match in asked if match),
    )


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def called(cell: dict) -> list[str]:
    """Return the names that a code cell calls, in order; none for a cell with magics."""
    try:
        tree = ast.parse("".join(cell["source"]))
    except SyntaxError:
        return []
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [func.id for func in calls if isinstance(func, ast.Name)]


class ChapterDirective(SphinxDirective):
    """What the three directives share: the chapters of the book, in its order."""

    def chapters(self) -> list[Chapter]:
        paths = sorted(Path(self.env.srcdir, "notebooks").glob("[0-9][0-9]_*.ipynb"))
        docnames = self.env.found_docs
        known = [path for path in paths if f"notebooks/{path.stem}" in docnames]
        for path in known:
            self.env.note_dependency(str(path))
        return [read_chapter(path) for path in known]

    def link(self, chapter: Chapter) -> nodes.Node:
        return link(self.env, "doc", f"/{chapter.docname}", nodes.inline("", chapter.title))

    def table(self, heads: list[str], rows: list[list[nodes.Node]]) -> nodes.table:
        group = nodes.tgroup("", *(nodes.colspec() for _ in heads), cols=len(heads))
        texts = [nodes.paragraph("", head) for head in heads]
        group += nodes.thead("", row_of(texts))
        group += nodes.tbody("", *map(row_of, rows))
        return nodes.table("", group, classes=["chapter-table"])


def row_of(items: list[nodes.Node]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", item) for item in items))


class ChapterMap(ChapterDirective):
    """Draw which chapter leads to which, and list minutes, difficulty and what comes first."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        told = dict(line.split(maxsplit=1) for line in self.content if line.strip())
        chapters = self.chapters()
        names = [chapter.name for chapter in chapters]
        if sorted(told) != names:
            raise self.error(f"chapter-map must tell of {names}, got {sorted(told)}")
        by_name = dict(zip(names, chapters, strict=True))
        rows = []
        for chapter in chapters:
            level, _, promise = told[chapter.name].partition(" ")
            needs = [self.link(by_name[name]) for name in chapter.needs if name in by_name]
            between = [part for one in needs for part in (nodes.Text(", "), one)][1:]
            rows.append(
                [
                    nodes.paragraph("", "", self.link(chapter)),
                    nodes.paragraph("", promise),
                    nodes.paragraph("", str(chapter.minutes)),
                    nodes.paragraph("", DIFFICULTY[int(level)]),
                    nodes.paragraph("", "", *(between or [nodes.Text("nothing")])),
                ]
            )
        heads = ["Chapter", "You find out", "Minutes", "Difficulty", "Needs"]
        return [
            nodes.raw("", drawing(self.columns(chapters), self.href), format="html"),
            self.table(heads, rows),
        ]

    def columns(self, chapters: list[Chapter]) -> list[list[Chapter]]:
        """The chapters of each part of the book."""
        subtrees = self.env.external_site_map.root.subtrees
        parts = [[str(item) for item in part.items] for part in subtrees]
        columns = [[c for c in chapters if c.docname in part] for part in parts]
        return [column for column in columns if column]

    def href(self, chapter: Chapter) -> str:
        return self.env.app.builder.get_relative_uri(self.env.docname, chapter.docname)


class FigureList(ChapterDirective):
    """List each chapter's live figure and its pictures."""

    def run(self) -> list[nodes.Node]:
        items = []
        for chapter in self.chapters():
            live = [first_line(FIGURES[name].__doc__) for name in chapter.figures]
            marked = [(nodes.strong("", "Live: "), nodes.Text(line)) for line in live]
            lines = [*marked, *((nodes.Text(alt),) for alt in chapter.plots)]
            entries = [nodes.list_item("", nodes.paragraph("", "", *line)) for line in lines]
            term = nodes.term("", "", self.link(chapter))
            body = nodes.definition("", nodes.bullet_list("", *entries))
            items.append(nodes.definition_list_item("", term, body))
        return [nodes.definition_list("", *items)]


class ExerciseList(ChapterDirective):
    """List each chapter's exercises: name, task, and whether a bug is to be found."""

    def run(self) -> list[nodes.Node]:
        rows = []
        for chapter in self.chapters():
            for name in chapter.exercises:
                module, short = name.split(".")
                module = getattr(exercises, module)
                kind = "find the bug" if short in module.BUG_HUNTS else "write it"
                rows.append(
                    [
                        nodes.paragraph("", "", self.link(chapter)),
                        nodes.paragraph("", "", nodes.literal("", name)),
                        nodes.paragraph("", task(getattr(module, short).starter)),
                        nodes.paragraph("", kind),
                    ]
                )
        return [self.table(["Chapter", "Exercise", "What your function does", "Kind"], rows)]


def task(starter: str) -> str:
    """The first line of the docstring of the starter's first function."""
    functions = (node for node in ast.parse(starter).body if isinstance(node, ast.FunctionDef))
    return first_line(ast.get_docstring(next(functions)))


def first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]


def setup(app: Sphinx) -> dict:
    app.add_directive("chapter-map", ChapterMap)
    app.add_directive("figure-list", FigureList)
    app.add_directive("exercise-list", ExerciseList)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
