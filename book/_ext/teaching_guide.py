"""The teaching guide's directives: what stands in a chapter's notebook is read there.

`lesson-facts 05_attention` lists a chapter's minutes, difficulty, needs, live figures, drills and
exercises, each a link. `ask 05-006` shows the question or prediction of the cell with this id; its
body is for the teacher. `homework 05_attention` has a line for each exercise of the chapter, as in
`attend: 15`: its name and the minutes that a learner needs for it.
"""

import ast
from collections.abc import Iterable, Iterator

from cell_links import cell_link
from chapter_facts import Chapter
from chapter_lists import (
    CHECK,
    DIFFICULTY,
    FIGURES,
    ChapterDirective,
    between,
    called,
    code_cells,
    first_line,
    needs,
    tags,
    task,
)
from docutils import nodes
from sphinx.application import Sphinx

from transformer_lite import exercises
from transformer_lite.drills._kit.drill import still_of

ASKED = {"question": "Quiz", "predict": "Prediction"}
SHORTEST, LONGEST = 5, 60


def chapter_named(name: str, chapters: dict[str, Chapter]) -> Chapter:
    """Return the chapter.

    Raises:
        ValueError: the book has no such chapter.
    """
    if name not in chapters:
        raise ValueError(f"name must be that of a chapter, as in 05_attention, got {name!r}")
    return chapters[name]


def calls_in(cell: dict) -> Iterator[tuple[str, ast.Call]]:
    """Yield the names that a code cell calls, each with its call; none for a cell with magics."""
    try:
        tree = ast.parse("".join(cell["source"]))
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node


def find_asked(cell_id: str, chapters: Iterable[Chapter]) -> tuple[dict, str, ast.Call]:
    """Find the cell with this id, whether it is a quiz or a prediction, and the call that asks.

    Raises:
        ValueError: no chapter has a cell with this id, or the cell asks nothing.
    """
    cells = (cell for chapter in chapters for cell in chapter.cells)
    cell = next((cell for cell in cells if cell.get("id") == cell_id), None)
    if cell is None:
        raise ValueError(f"ask must name a cell by its id, as in 05-006, got {cell_id!r}")
    for name, call in calls_in(cell) if cell["cell_type"] == "code" else ():
        if name in ASKED:
            return cell, ASKED[name], call
    raise ValueError(f"ask must name a cell with a question or a prediction, got {cell_id!r}")


def choices_of(call: ast.Call) -> tuple[str, list[str]]:
    """The prompt of a question or a prediction, and its choices; a right one comes first."""
    words = {word.arg: word.value for word in call.keywords}
    prompt, *others = map(ast.literal_eval, call.args)
    if "right" not in words:
        return prompt, others
    wrong = words["wrong"].elts if isinstance(words["wrong"], ast.List) else []
    choices = [node.elts[0] for node in (words["right"], *wrong) if isinstance(node, ast.Tuple)]
    return prompt, [ast.literal_eval(node) for node in choices]


def drills_of(chapter: Chapter) -> list[tuple[dict, str]]:
    """The cells with a drill, each with the drill's name."""
    calls = ((cell, *call) for cell in code_cells(chapter) for call in calls_in(cell))
    return [(cell, ast.literal_eval(call.args[0])) for cell, name, call in calls if name == "drill"]


def figure_cells(chapter: Chapter) -> list[tuple[dict, str]]:
    """The cells with a live figure, each with the name of the figure's class, once."""
    found = [(cell, name) for cell in code_cells(chapter) for name in called(cell)]
    first = {name: cell for cell, name in reversed(found) if name in FIGURES}
    return [(cell, name) for cell, name in found if first.get(name) is cell]


def drill_title(name: str) -> str:
    return str(still_of(name)["title"])


def exercise_cells(chapter: Chapter) -> dict[str, tuple[dict, str]]:
    """The chapter's exercises by name: the cell of each, and the module that holds it."""
    cells = [cell for cell in code_cells(chapter) if "exercise" in tags(cell)]
    found = ((cell, CHECK.search("".join(cell["source"]))) for cell in cells)
    return {match[2]: (cell, match[1]) for cell, match in found if match}


def is_bug_hunt(module: str, name: str) -> bool:
    return name in getattr(exercises, module).BUG_HUNTS


def read_homework(lines: Iterable[str], names: Iterable[str]) -> dict[str, int]:
    """The minutes of each exercise.

    Raises:
        ValueError: a line is no name and minutes, the minutes are too few or too many, or the
            lines do not name each exercise once.

    >>> read_homework(["soft_lookup: 15", "attend: 20"], ["attend", "soft_lookup"])
    {'soft_lookup': 15, 'attend': 20}
    """
    told = [line.partition(":") for line in lines if line.strip()]
    for name, _, minutes in told:
        whole = minutes.strip().isdecimal()
        if not whole or not SHORTEST <= int(minutes) <= LONGEST:
            raise ValueError(
                f"homework must give each exercise {SHORTEST} to {LONGEST} minutes, as in "
                f"'attend: 15', got {minutes.strip()!r} for {name.strip()!r}"
            )
    found = [name.strip() for name, _, _ in told]
    if sorted(found) != sorted(names):
        raise ValueError(f"homework must name {sorted(names)}, each once, got {found}")
    return {name.strip(): int(minutes) for name, _, minutes in told}


def field_of(head: str, parts: list[nodes.Node]) -> nodes.field:
    body = nodes.field_body("", nodes.paragraph("", "", *parts))
    return nodes.field("", nodes.field_name("", head), body)


class LessonFacts(ChapterDirective):
    """List what a chapter holds, each with a link into it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        chapters = self.chapters()
        try:
            chapter = chapter_named(self.arguments[0], chapters)
        except ValueError as error:
            raise self.error(str(error)) from None
        facts = chapter.facts
        read = nodes.Text(f": {facts.minutes} minutes to read · {DIFFICULTY[facts.difficulty]}")
        fields = {
            "Chapter": [nodes.inline("", "", self.link(chapter), read)],
            "Needs": [needs(self.env, chapter, chapters)],
            "Live figure": [self.figure(*found) for found in figure_cells(chapter)],
            "Drills": [self.drill(*found) for found in drills_of(chapter)],
            "Exercises": [self.exercise(*found) for found in exercise_cells(chapter).items()],
        }
        listed = [field_of(head, between(parts)) for head, parts in fields.items() if parts]
        return [nodes.field_list("", *listed, classes=["lesson-facts"])]

    def figure(self, cell: dict, name: str) -> nodes.Node:
        text = first_line(FIGURES[name].__doc__).rstrip(".")
        return cell_link(self.env, cell, nodes.inline("", text))

    def drill(self, cell: dict, name: str) -> nodes.Node:
        return cell_link(self.env, cell, nodes.inline("", drill_title(name)))

    def exercise(self, name: str, where: tuple[dict, str]) -> nodes.Node:
        cell, module = where
        found = cell_link(self.env, cell, nodes.literal("", name))
        hunt = nodes.Text(" (bug hunt)" if is_bug_hunt(module, name) else "")
        return nodes.inline("", "", found, hunt)


class Ask(ChapterDirective):
    """Show a chapter's question or prediction with its choices; the body is for the teacher."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.assert_has_content()
        try:
            cell, kind, call = find_asked(self.arguments[0], self.chapters().values())
        except ValueError as error:
            raise self.error(str(error)) from None
        prompt, choices = choices_of(call)
        head = cell_link(self.env, cell, nodes.strong("", kind))
        items = [nodes.list_item("", nodes.paragraph("", choice)) for choice in choices]
        if kind == "Quiz":
            items[0][0] += nodes.emphasis("", " (right)")
        question = nodes.paragraph("", "", head, nodes.Text(f": {prompt}"))
        body = self.parse_content_to_nodes()
        listed = nodes.bullet_list("", *items)
        return [nodes.container("", question, listed, *body, classes=["teaching-ask"])]


class Homework(ChapterDirective):
    """A table of a chapter's exercises: what each asks for, and its minutes."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        try:
            cells = exercise_cells(chapter_named(self.arguments[0], self.chapters()))
            minutes = read_homework(self.content, cells)
        except ValueError as error:
            raise self.error(str(error)) from None
        rows = [self.row(name, *cells[name], minutes[name]) for name in cells]
        return [self.table(["Exercise", "Task", "Minutes"], rows, css="homework-table")]

    def row(self, name: str, cell: dict, module: str, minutes: int) -> list[nodes.Node]:
        exercise = getattr(getattr(exercises, module), name)
        hunt = nodes.Text(" (bug hunt)" if is_bug_hunt(module, name) else "")
        link = cell_link(self.env, cell, nodes.literal("", name))
        texts = task(exercise.starter), str(minutes)
        return [nodes.paragraph("", "", link, hunt), *(nodes.paragraph("", t) for t in texts)]


def setup(app: Sphinx) -> dict:
    app.add_directive("lesson-facts", LessonFacts)
    app.add_directive("ask", Ask)
    app.add_directive("homework", Homework)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
