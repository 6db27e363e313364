"""The teaching guide's directives, which read their content from the chapters' notebooks.

`lesson-facts 05_attention` lists a chapter's minutes, difficulty, needs, live figures, drills and
exercises, each as a link. `ask 05-006` shows the question or prediction of the cell with this id;
its body is for the teacher. `exit 05-132 05-quiz-hull` shows two quiz questions in less space, for
the end of a lesson; its body is for the teacher, too. `homework 05_attention` has a line for each
exercise of the chapter, as in `attend: 15`: its name and the minutes that a learner needs for it.
"""

import ast
from collections.abc import Iterable

from cell_links import cell_link
from chapter_cells import (
    FIGURES,
    ExerciseCell,
    calls_in,
    drills_of,
    exercises_of,
    figures_of,
    first_line,
)
from chapter_facts import Chapter
from chapter_lists import DIFFICULTY, ChapterDirective, between, needs
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lessons.kit.drills.live_drill import static_problem

ASKED = {"question": ("Quiz", "a question"), "predict": ("Prediction", "a prediction")}
SHOWN = {"ask": ("question", "predict"), "exit": ("question",)}
SHORTEST, LONGEST = 5, 60


def chapter_named(name: str, chapters: dict[str, Chapter]) -> Chapter:
    """Return the chapter with this name.

    Raises:
        ValueError: the book has no such chapter.
    """
    if name not in chapters:
        raise ValueError(f"name must be that of a chapter, as in 05_attention, got {name!r}")
    return chapters[name]


def find_asked(
    cell_id: str, chapters: Iterable[Chapter], directive: str = "ask"
) -> tuple[dict, str, ast.Call]:
    """Find the cell with this id, its kind (quiz or prediction) and the call that asks.

    Raises:
        ValueError: no chapter has a cell with this id, or the cell asks nothing that the
            directive can show.
    """
    cells = (cell for chapter in chapters for cell in chapter.cells)
    cell = next((cell for cell in cells if cell.get("id") == cell_id), None)
    if cell is None:
        raise ValueError(f"{directive} must name a cell by its id, as in 05-006, got {cell_id!r}")
    shown = {name: ASKED[name] for name in SHOWN[directive]}
    for name, call in calls_in(cell) if cell["cell_type"] == "code" else ():
        if name in shown:
            return cell, shown[name][0], call
    wanted = " or ".join(description for _, description in shown.values())
    raise ValueError(f"{directive} must name a cell with {wanted}, got {cell_id!r}")


def choices_of(call: ast.Call) -> tuple[str, list[str]]:
    """Return the prompt of a question or prediction and its choices, the right one first."""
    words = {word.arg: word.value for word in call.keywords}
    prompt, *others = map(ast.literal_eval, call.args)
    if "right" not in words:
        return prompt, others
    wrong = words["wrong"].elts if isinstance(words["wrong"], ast.List) else []
    choices = [node.elts[0] for node in (words["right"], *wrong) if isinstance(node, ast.Tuple)]
    return prompt, [ast.literal_eval(node) for node in choices]


def read_homework(lines: Iterable[str], names: Iterable[str]) -> dict[str, int]:
    """Return the minutes of each exercise.

    Raises:
        ValueError: a line is not a name with minutes, the minutes are too few or too many, or
            the lines do not name each exercise once.

    >>> read_homework(["soft_lookup: 15", "attend: 20"], ["attend", "soft_lookup"])
    {'soft_lookup': 15, 'attend': 20}
    """
    entries = [line.partition(":") for line in lines if line.strip()]
    for name, _, minutes in entries:
        is_number = minutes.strip().isdecimal()
        if not is_number or not SHORTEST <= int(minutes) <= LONGEST:
            raise ValueError(
                f"homework must give each exercise {SHORTEST} to {LONGEST} minutes, as in "
                f"'attend: 15', got {minutes.strip()!r} for {name.strip()!r}"
            )
    found = [name.strip() for name, _, _ in entries]
    if sorted(found) != sorted(names):
        raise ValueError(f"homework must name {sorted(names)}, each once, got {found}")
    return {name.strip(): int(minutes) for name, _, minutes in entries}


def field_of(head: str, parts: list[nodes.Node]) -> nodes.field:
    body = nodes.field_body("", nodes.paragraph("", "", *parts))
    return nodes.field("", nodes.field_name("", head), body)


def exercise_link(env: BuildEnvironment, found: ExerciseCell) -> nodes.Node:
    """Return a link to an exercise, followed by a note if it is a bug hunt."""
    link = cell_link(env, found.cell, nodes.literal("", found.name))
    kind = " (bug hunt)" if found.exercise.is_bug_hunt else ""
    return nodes.inline("", "", link, nodes.Text(kind))


def prompt_of(env: BuildEnvironment, cell: dict, kind: str, prompt: str) -> nodes.paragraph:
    """Return a link to a cell, followed by its prompt."""
    head = cell_link(env, cell, nodes.strong("", kind))
    return nodes.paragraph("", "", head, nodes.Text(f": {prompt}"))


def right() -> nodes.emphasis:
    return nodes.emphasis("", " (right)")


class LessonFacts(ChapterDirective):
    """List the facts and contents of a chapter, with links to its cells."""

    required_arguments = 1

    def build_nodes(self) -> list[nodes.Node]:
        chapters = self.chapters()
        chapter = chapter_named(self.arguments[0], chapters)
        facts = chapter.facts
        read = nodes.Text(f": {facts.minutes} minutes to read · {DIFFICULTY[facts.difficulty]}")
        fields = {
            "Chapter": [nodes.inline("", "", self.link(chapter), read)],
            "Needs": [needs(self.env, chapter, chapters)],
            "Live figure": [self.figure(*found) for found in figures_of(chapter)],
            "Drills": [self.drill(*found) for found in drills_of(chapter)],
            "Exercises": [
                exercise_link(self.env, found) for found in exercises_of(chapter).values()
            ],
        }
        listed = [field_of(head, between(parts)) for head, parts in fields.items() if parts]
        return [nodes.field_list("", *listed, classes=["lesson-facts"])]

    def figure(self, cell: dict, name: str) -> nodes.Node:
        text = first_line(FIGURES[name].__doc__).rstrip(".")
        return cell_link(self.env, cell, nodes.inline("", text))

    def drill(self, cell: dict, name: str) -> nodes.Node:
        return cell_link(self.env, cell, nodes.inline("", static_problem(name)["title"]))


class Ask(ChapterDirective):
    """Show a chapter's question or prediction with its choices; the body is for the teacher."""

    required_arguments = 1
    has_content = True

    def build_nodes(self) -> list[nodes.Node]:
        self.assert_has_content()
        cell, kind, call = find_asked(self.arguments[0], self.chapters().values())
        prompt, choices = choices_of(call)
        items = [nodes.list_item("", nodes.paragraph("", choice)) for choice in choices]
        if kind == "Quiz":
            items[0][0] += right()
        question = prompt_of(self.env, cell, kind, prompt)
        body = self.parse_content_to_nodes()
        listed = nodes.bullet_list("", *items)
        return [nodes.container("", question, listed, *body, classes=["teaching-ask"])]


class Exit(ChapterDirective):
    """Show two quiz questions, each with its choices in one line; the body is for the teacher."""

    required_arguments = 2
    has_content = True

    def build_nodes(self) -> list[nodes.Node]:
        self.assert_has_content()
        chapters = self.chapters().values()
        found = [find_asked(cell_id, chapters, self.name) for cell_id in self.arguments]
        items = [nodes.list_item("", *self.question(*question)) for question in found]
        body = self.parse_content_to_nodes()
        listed = nodes.bullet_list("", *items)
        return [nodes.container("", listed, *body, classes=["teaching-exit"])]

    def question(self, cell: dict, kind: str, call: ast.Call) -> list[nodes.Node]:
        prompt, (first, *wrong) = choices_of(call)
        others = nodes.Text("".join(f" · {choice}" for choice in wrong))
        choices = nodes.paragraph("", "", nodes.Text(first), right(), others)
        return [prompt_of(self.env, cell, kind, prompt), choices]


class Homework(ChapterDirective):
    """Show a table of a chapter's exercises: what each asks for, and its minutes."""

    required_arguments = 1
    has_content = True

    def build_nodes(self) -> list[nodes.Node]:
        exercises = exercises_of(chapter_named(self.arguments[0], self.chapters()))
        minutes = read_homework(self.content, exercises)
        rows = [self.row(exercise, minutes[name]) for name, exercise in exercises.items()]
        return [self.table(["Exercise", "Task", "Minutes"], rows, css="homework-table")]

    def row(self, exercise: ExerciseCell, minutes: int) -> list[nodes.Node]:
        texts = exercise.task, str(minutes)
        link = exercise_link(self.env, exercise)
        return [nodes.paragraph("", "", link), *(nodes.paragraph("", text) for text in texts)]


def setup(app: Sphinx) -> None:
    app.add_directive("lesson-facts", LessonFacts)
    app.add_directive("ask", Ask)
    app.add_directive("exit", Exit)
    app.add_directive("homework", Homework)
