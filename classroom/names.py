"""What people read of an exercise: "08 Masks: Softmax under a mask" instead of its id."""

import functools
import re
from collections import Counter
from pathlib import Path

from classroom.plan import ClassPlan
from classroom.source import ROOT, book
from lessons.kit.cells import parts, source

_TITLE = re.compile(r"### Exercise (?P<number>\d+): (?P<title>.*)")
#: In the teaching guide: the heading of a chapter's plan, and the chapter that it is of.
_PLAN = re.compile(r"^## (.*)\n+```\{lesson-facts\} \d\d_(\w+)", re.MULTILINE)


def title_of(exercise: str) -> str:
    """Return the chapter's number and name, and the title of an exercise such as "masks.reach".

    Where two exercises of a chapter bear one title, their numbers tell them apart.
    """
    return _titles()[exercise]


def named(text: str, plan: ClassPlan) -> str:
    """Return the id of the exercise that a person means by its id or its title; else the text."""
    words = _plain(text)
    return next((name for name in plan.exercises if words == _plain(title_of(name))), text)


@functools.cache
def _titles() -> dict[str, str]:
    found = {}
    for file, chapter in book().items():
        head = next(source(c) for c in chapter["cells"] if c["cell_type"] == "markdown")
        words = head.partition("\n")[0].removeprefix("# ").partition(":")[0]
        heads = {p.exercise: source(p.cells[0]) for p in parts(chapter) if p.exercise}
        told = {name: match for name, text in heads.items() if (match := _TITLE.match(text))}
        twice = Counter(match["title"] for match in told.values())
        for name, match in told.items():
            title = match["title"]
            number = f" (exercise {match['number']})" if twice[title] > 1 else ""
            found[name] = f"{file[:2]} {words}: {title[0].upper()}{title[1:]}{number}"
    return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def lesson_of(exercise: str) -> str:
    """Return where this copy of the book has the lesson plan of an exercise's chapter."""
    page, heading = _lessons()[exercise.partition(".")[0]]
    built = ROOT / "_build/html/book/teaching" / f"{page}.html"
    anchor = "-".join(re.findall("[a-z0-9]+", heading.lower()))
    return f"{built.as_uri()}#{anchor}" if built.is_file() else _source_of(page).as_uri()


def _source_of(page: str) -> Path:
    return ROOT / "book/teaching" / f"{page}.md"


@functools.cache
def _lessons() -> dict[str, tuple[str, str]]:
    """The page of each chapter's plan and its heading there, by the chapter's module."""
    pages = sorted((ROOT / "book/teaching").glob("*.md"))
    return {
        chapter: (page.stem, heading)
        for page in pages
        for heading, chapter in _PLAN.findall(page.read_text(encoding="utf-8"))
    }
