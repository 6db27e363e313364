"""The names of exercises for people: "08 Masks: Softmax under a mask" instead of an id."""

import functools
import re
from collections import Counter
from pathlib import Path

from classroom.plan import ClassPlan
from classroom.source import ROOT, book
from lessons.kit.cells import parts, source

_TITLE = re.compile(r"### Exercise (?P<number>\d+): (?P<title>.*)")
#: In the teaching guide: the heading of a lesson plan, and the chapter that it is for.
_PLAN = re.compile(r"^## (.*)\n+```\{lesson-facts\} \d\d_(\w+)", re.MULTILINE)


def title_of(exercise: str) -> str:
    """Return the chapter's number and name, and the title of an exercise such as "masks.reach".

    If two exercises of a chapter have the same title, their numbers are added.
    """
    return _titles()[exercise]


def named(text: str, plan: ClassPlan) -> str:
    """Return the id of the exercise with this id or title; for any other text, the text itself."""
    words = _plain(text)
    return next((name for name in plan.exercises if words == _plain(title_of(name))), text)


@functools.cache
def _titles() -> dict[str, str]:
    found = {}
    for file, chapter in book().items():
        head = next(source(c) for c in chapter["cells"] if c["cell_type"] == "markdown")
        words = head.partition("\n")[0].removeprefix("# ").partition(":")[0]
        heads = {p.exercise: source(p.cells[0]) for p in parts(chapter) if p.exercise}
        matches = {name: match for name, text in heads.items() if (match := _TITLE.match(text))}
        twice = Counter(match["title"] for match in matches.values())
        for name, match in matches.items():
            title = match["title"]
            number = f" (exercise {match['number']})" if twice[title] > 1 else ""
            found[name] = f"{file[:2]} {words}: {title[0].upper()}{title[1:]}{number}"
    return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def lesson_of(exercise: str) -> str:
    """Return the address of a chapter's lesson plan in this copy of the book."""
    page, heading = _lessons()[exercise.partition(".")[0]]
    built = ROOT / "_build/html/book/teaching" / f"{page}.html"
    anchor = "-".join(re.findall("[a-z0-9]+", heading.lower()))
    return f"{built.as_uri()}#{anchor}" if built.is_file() else _source_of(page).as_uri()


def _source_of(page: str) -> Path:
    return ROOT / "book/teaching" / f"{page}.md"


@functools.cache
def _lessons() -> dict[str, tuple[str, str]]:
    """Return the page and heading of each chapter's lesson plan, by the chapter's module."""
    pages = sorted((ROOT / "book/teaching").glob("*.md"))
    return {
        chapter: (page.stem, heading)
        for page in pages
        for heading, chapter in _PLAN.findall(page.read_text(encoding="utf-8"))
    }
