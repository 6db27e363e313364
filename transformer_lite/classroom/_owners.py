"""Whose work a file is, by the names that learning platforms give it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from transformer_lite.classroom.marks import Student
from transformer_lite.exercises import CHAPTERS


@dataclass(frozen=True)
class Owner:
    """What the name of a file tells.

    Args:
        student: whose it is.
        late: whether the platform says so.
        number: larger for what was handed in later, where the platform counts.
        note: what the teacher should know of the name.
    """

    student: Student
    late: bool = False
    number: int = 0
    note: str = ""


_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_(assignsubmission_)?(file|onlinetext)(_|$)")
_FILE = rf"\d\d_(?:{'|'.join(CHAPTERS)})"  # what a chapter's file is called
_NUMBER = rf"(?!{_FILE})(?P<number>\d+)"
_CANVAS = re.compile(rf"^(?P<name>[^_/]+?)(?P<late>_LATE)?_(?P<id>\d+)_{_NUMBER}_")
_CANVAS_ANONYMOUS = re.compile(rf"^(?P<late>LATE_)?(?P<name>anon_[^_]+)_{_NUMBER}_")
_LATE = re.compile(r"(?<![ _-])[ _-]+\(?late\)?$|^late[ _-]+", re.IGNORECASE)
_CHAPTER = re.compile(rf"(?<![ _-])[ _-]*{_FILE}[ _-]*")
_COPY = re.compile(r"( ?\(\d+\)|[ _-]copy\d*)$", re.IGNORECASE)


_NOT_CANVAS = "it is named as Canvas names files, but its numbers are those of others too"


def owners(names: Collection[str], work: Collection[str]) -> dict[str, Owner]:
    """Tell whose files are that were handed in together.

    Names of platforms inside other folders are theirs if all work bears one: else such a folder is
    a student, who has named what lies in it. Canvas gives each student one number and each file
    another: what contradicts this is no name of Canvas'.

    Args:
        names: the paths in what was handed in, with slashes.
        work: those of notebooks and zips.
    """
    deep = all(owner(name, deep=True).student.platform for name in work)
    found = {name: owner(name, deep) for name in names}
    alone = _folders_of_one(found)
    found = {n: owner(n) if n.rpartition("/")[0] in alone else told for n, told in found.items()}
    wrong = _not_canvas(found)
    return {
        name: replace(_of_a_plain_file(_parts(name)), note=_NOT_CANVAS)
        if told.student.platform == "canvas" and told.student.name in wrong
        else told
        for name, told in found.items()
    }


def owner(name: str, deep: bool = False) -> Owner:
    """Tell whose a file is by its name alone.

    The outermost name that a platform gave decides: what lies further in, a student has named.

    Args:
        name: its path in what was handed in, with slashes.
        deep: whether other folders may lie around what a platform has named.
    """
    parts = _parts(name)
    for index, part in enumerate(parts if deep else parts[:1]):
        if index == len(parts) - 1 and (told := _of_canvas(part)):
            return told
        if found := _MOODLE.match(part):
            return Owner(Student(_plain(found["name"]), found["id"], "moodle"))
        if part == "submitted" and index < len(parts) - 2:  # submitted/STUDENT/ASSIGNMENT/FILE
            folder = parts[index + 1]
            return Owner(Student(_plain(folder), folder, "nbgrader"))
    return _of_a_plain_file(parts)


def _parts(name: str) -> list[str]:
    return unicodedata.normalize("NFC", name).split("/")


def _folders_of_one(found: dict[str, Owner]) -> set[str]:
    """The folders with files of one student of Canvas', who may have made them all."""
    students = defaultdict[str, set[str]](set)
    for name, told in found.items():
        if told.student.platform == "canvas" and "/" in name:
            students[name.rpartition("/")[0]].add(told.student.id)
    return {folder for folder, ids in students.items() if len(ids) == 1}


def _not_canvas(found: dict[str, Owner]) -> set[str]:
    """The names of students whose number, or whose file's, is somebody else's too."""
    names, files = defaultdict[str, set[str]](set), defaultdict[int, set[tuple[str, str]]](set)
    for name, told in found.items():
        if told.student.platform == "canvas":
            file = _COPY.sub("", _parts(name)[-1].rpartition(".")[0])
            names[told.student.id].add(told.student.name)
            files[told.number].add((file, told.student.name))
    twice = [some for some in names.values() if len(some) > 1]
    twice += [{student for _, student in some} for some in files.values() if len(some) > 1]
    return set[str]().union(*twice)


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
    named = parts[0] if len(parts) > 1 else parts[0].rpartition(".")[0] or parts[0]
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
