"""The notebooks to run: the latest one of each student for each chapter."""

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from classroom import lateness
from classroom.marks import FAILED, Graded, Mark
from classroom.names import title_of
from classroom.notebooks import code_of
from classroom.plan import ClassPlan
from classroom.released import Chapter, chapter_of, required_function
from classroom.submissions import Submission

Marks = dict[str, Mark]
#: At most this many of a student's latest notebooks are read; the book has 28 chapters.
MOST_NOTEBOOKS = 100
_NO_CODE = (
    "The cell of this answer is Markdown or raw text, and it was run as code. Make it a code cell: "
    "in Jupyter select it, then press Esc and Y."
)


class Grader(Protocol):
    """The interface of a grader for a submission."""

    plan: ClassPlan
    chapters: list[Chapter]
    failed: dict[str, Marks]

    def key(self, chapter: Chapter, cells: list[str]) -> str:
        """Return a name that depends on everything that the result depends on."""

    def marks(self, key: str) -> Marks:
        """Return the stored marks of a notebook."""


class Notebook:
    """One notebook to grade."""

    def __init__(self, grader: Grader, chapter: Chapter, cells: list[str], texts: list[str]):
        misplaced = chapter.misplaced(cells, texts)
        self.chapter = chapter
        self.cells = chapter.written([*cells, *dict.fromkeys(misplaced.values())])
        self.key = grader.key(chapter, self.cells)
        #: The exercises whose answers were in text cells.
        self.misplaced = {
            name for name in chapter.exercises if required_function(name) in misplaced
        }


class Job:
    """One student's submission: the latest notebook of each chapter."""

    def __init__(self, grader: Grader, submission: Submission):
        self._grader, self._submission = grader, submission
        self._notes = list(submission.notes)
        self._problems: list[str] = []
        latest: dict[str, tuple[str, Notebook]] = {}
        if (skipped := len(submission.notebooks) - MOST_NOTEBOOKS) > 0:
            self._notes += [f"{skipped} notebooks were not read: the last {MOST_NOTEBOOKS} are"]
        for found in submission.notebooks[-MOST_NOTEBOOKS:]:
            try:
                cells, texts = code_of(found.path or Path())
                chapter = chapter_of(cells, grader.chapters)
                if not chapter:
                    raise ValueError("it is none of the chapters of this class")
            except ValueError as error:
                self._problems.append(f"{found.name.rpartition('/')[2]}: {error}")
                continue
            notebook = Notebook(grader, chapter, cells, texts)
            earlier = latest[chapter.name][0] if chapter.name in latest else ""
            if earlier and not chapter.answered_by(notebook.cells):
                self._notes.append(f"{found.name} was not graded: it answers nothing")
                continue
            if earlier:
                self._notes.append(f"{earlier} was not graded: {found.name} is later")
            latest[chapter.name] = (found.name, notebook)
        self.notebooks = [notebook for _, notebook in latest.values()]

    def graded(self) -> Graded:
        """Combine the stored marks."""
        marks: Marks = {}
        for notebook in self.notebooks:
            found = self._grader.marks(notebook.key)
            messages = {n: f"{found[n].message}\n{_NO_CODE}" for n in notebook.misplaced}
            marks |= found | {n: replace(found[n], message=text) for n, text in messages.items()}
        submission, problems = self._submission, self._problems
        problem = submission.problem or (problems[-1] if problems and not marks else "")
        if any(notebook.key in self._grader.failed for notebook in self.notebooks):
            problem = FAILED
        refused = "; ".join([*submission.notes, *problems])[:400]
        handed = "No notebook of this chapter was handed in."
        why = problem or (f"{handed} What could not be graded: {refused}." if refused else handed)
        plan, status = self._grader.plan, "stopped" if problem else "missing"
        lacking = {n: Mark(0, plan.points[n], status, why) for n in plan.exercises}
        notes = self._notes + [p for p in problems if p != problem]
        misplaced = sorted(name for notebook in self.notebooks for name in notebook.misplaced)
        notes += [
            f"{title_of(n)}: its cell is not a code cell, and was run as code" for n in misplaced
        ]
        days = lateness.days_after(plan.date, submission.day)
        return Graded(
            submission.student,
            lacking | marks,
            problem,
            submission.late or bool(days),
            submission.source,
            tuple(notes),
            late_days=days,
        )
