"""Whose work a file is, by the names that learning platforms give it."""

import re
import unicodedata
from dataclasses import dataclass

from transformer_lite.classroom.marks import Student
from transformer_lite.exercises import CHAPTERS


@dataclass(frozen=True)
class Owner:
    """What the name of a file tells.

    Args:
        student: whose it is.
        late: whether the platform says so.
        number: larger for what was handed in later, where the platform counts.
    """

    student: Student
    late: bool = False
    number: int = 0


_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_(assignsubmission_)?(file|onlinetext)(_|$)")
_FILE = rf"\d\d_(?:{'|'.join(CHAPTERS)})"  # what a chapter's file is called
_NUMBER = rf"(?!{_FILE})(?P<number>\d+)"
_CANVAS = re.compile(rf"^(?P<name>[^_/]+?)(?P<late>_LATE)?_(?P<id>\d+)_{_NUMBER}_")
_CANVAS_ANONYMOUS = re.compile(rf"^(?P<late>LATE_)?(?P<name>anon_[^_]+)_{_NUMBER}_")
_LATE = re.compile(r"[ _-]+\(?late\)?$|^late[ _-]+", re.IGNORECASE)
_CHAPTER = re.compile(rf"[ _-]*{_FILE}[ _-]*")
_COPY = re.compile(r"( ?\(\d+\)|[ _-]copy\d*)$", re.IGNORECASE)


def owner(name: str) -> Owner:
    """Tell whose a file is.

    The outermost name that a platform gave decides: what lies further in, a student has named.

    Args:
        name: its path in what was handed in, with slashes.
    """
    parts = unicodedata.normalize("NFC", name).split("/")
    for index, part in enumerate(parts):
        if index == len(parts) - 1 and (told := _of_canvas(part)):
            return told
        if found := _MOODLE.match(part):
            return Owner(Student(_plain(found["name"]), found["id"], "moodle"))
        if part == "submitted" and index < len(parts) - 2:  # submitted/STUDENT/ASSIGNMENT/FILE
            folder = parts[index + 1]
            return Owner(Student(_plain(folder), folder, "nbgrader"))
    return _of_a_plain_file(parts)


def is_a_chapter(file: str) -> bool:
    """Say whether a file is named after a chapter alone, and so after nobody."""
    return not _without_chapter(file.rpartition(".")[0])


def _of_canvas(file: str) -> Owner | None:
    if found := _CANVAS.match(file):
        student = Student(_plain(found["name"]), found["id"], "canvas")
    elif found := _CANVAS_ANONYMOUS.match(file):
        student = Student(found["name"], found["name"], "canvas")
    else:
        return None
    return Owner(student, bool(found["late"]), int(found["number"][:18]))


def _of_a_plain_file(parts: list[str]) -> Owner:
    """A folder stands for a student; a file alone is named after one, and maybe a chapter."""
    named = parts[0] if len(parts) > 1 else parts[0].rpartition(".")[0]
    late = bool(_LATE.search(named))
    named = _LATE.sub("", named)
    if len(parts) == 1:
        named = _without_chapter(named) or named
    return Owner(Student(_plain(named)), late)


def _without_chapter(named: str) -> str:
    """What a name says beside the chapter, and beside the number of a copy."""
    return _CHAPTER.sub(" ", _COPY.sub("", named)).strip()


def _plain(name: str) -> str:
    """A name on one line, of printable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(shown.replace("_", " ").split())[:200] or "nobody"
