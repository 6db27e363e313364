"""Find the owner of a file from the name that a learning platform gave it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from classroom.marks import Student
from lessons.kit.exercises import CHAPTERS


@dataclass(frozen=True)
class Owner:
    """The owner of a file, as its name says.

    Args:
        student: the student who owns it.
        late: whether the platform calls it late.
        number: the platform's number, which is larger for later submissions.
        note: what the teacher should know about the name.
    """

    student: Student
    late: bool = False
    number: int = 0
    note: str = ""


_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_(assignsubmission_)?(file|onlinetext)(_|$)")
_FILE = rf"\d\d_(?:{'|'.join(CHAPTERS)})"  # the name of a chapter's file
_NUMBER = rf"(?!{_FILE})(?P<number>\d+)"
_CANVAS = re.compile(rf"^(?P<name>[^_/]+?)(?P<late>_LATE)?_(?P<id>\d+)_{_NUMBER}_")
_CANVAS_ANONYMOUS = re.compile(rf"^(?P<late>LATE_)?(?P<name>anon_[^_]+)_{_NUMBER}_")
_LOOSE = re.compile(
    r"^[^/]+_\d+_(?:file|onlinetext)(?:_[^/]*)?$"
)  # as an old Moodle, in one folder
_LATE = re.compile(r"(?<![ _-])[ _-]+\(?late\)?$|^late[ _-]+", re.IGNORECASE)
_CHAPTER = re.compile(rf"(?<![ _-])[ _-]*{_FILE}[ _-]*")
_COPY = re.compile(r"( ?\(\d+\)|[ _-]copy\d*)$", re.IGNORECASE)


NOT_SURE = "whose it is, is not sure"
_NOT_CANVAS = f"{NOT_SURE}: it is named as a platform names files, but its numbers may be a date's"
_A_COPY = f"{NOT_SURE}: but for the number of a copy it has the name of another"
_AN_ATTEMPT = f"{NOT_SURE}: but for a date or the number of an attempt it has the name of another"
#: How platforms and people mark attempts: "attempt_2027-03-01-10-30-00", "v2", a date.
_ATTEMPT = re.compile(
    r"\b(attempt|versuch|tentative|intento|tentativa|version)( ?\d{1,3})?\b|\b(v|try) ?\d{1,3}\b"
    r"|\d{4}[ .-]?\d\d[ .-]?\d\d([T .-]*\d\d){0,3}\b"
    r"|\b([a-z]{3,9}\.? \d{1,2}|\d{1,2}\.? [a-z]{3,9}),? \d{4}\b|\b\d{1,2}[:.]?\d\d ?[ap]m\b"
)
#: Platforms' numbers are larger than those that people write into names, and are not years.
SMALLEST, _YEARS = 1_000, range(1_900, 2_100)


def owners(names: Collection[str], work: Collection[str]) -> dict[str, Owner]:
    """Return the owners of files that were submitted together.

    A platform's names inside other folders are trusted only if all work has such names; otherwise
    the folder is a student, who chose the names in it. Canvas gives each student one number and
    each file another, so names that contradict this are not from Canvas. If two names may belong
    to two people, they are kept apart.

    Args:
        names: the paths of all files in the submission, with slashes.
        work: the paths of notebooks and zips.
    """
    deep = all(owner(name, deep=True).student.platform for name in work)
    found = {name: owner(name, deep) for name in names}
    alone = _folders_of_one(found)
    found = {n: owner(n) if n.rpartition("/")[0] in alone else told for n, told in found.items()}
    wrong = _not_canvas(found)
    plain = {n for n, told in found.items() if told.student.platform == "canvas"}
    plain = {n for n in plain if found[n].student.name in wrong} | _not_sure(found)
    for name in plain:
        found[name] = replace(_of_a_plain_file(_parts(name)), note=_NOT_CANVAS)
    return _separate_copies(found)


def owner(name: str, deep: bool = False) -> Owner:
    """Return the owner of a file from its name alone.

    The outermost name from a platform decides, because the student chose the names inside.

    Args:
        name: its path in the submission, with slashes.
        deep: whether other folders may contain the names from the platform.
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
    """Return the folders with files of only one Canvas student, who may have made them all."""
    students = defaultdict[str, set[str]](set)
    for name, told in found.items():
        if told.student.platform == "canvas" and "/" in name:
            students[name.rpartition("/")[0]].add(told.student.id)
    return {folder for folder, ids in students.items() if len(ids) == 1}


def _not_canvas(found: dict[str, Owner]) -> set[str]:
    """Return the names of students whose number, or whose file's number, somebody else has too."""
    names, files = defaultdict[str, set[str]](set), defaultdict[int, set[tuple[str, str]]](set)
    for name, told in found.items():
        if told.student.platform == "canvas":
            file = _COPY.sub("", _parts(name)[-1].rpartition(".")[0])
            names[told.student.id].add(told.student.name)
            files[told.number].add((file, told.student.name))
    twice = [some for some in names.values() if len(some) > 1]
    twice += [{student for _, student in some} for some in files.values() if len(some) > 1]
    return set[str]().union(*twice)


def _not_sure(found: dict[str, Owner]) -> set[str]:
    """Return files that may share a student's number by chance: small numbers, or years.

    If one student seems to have handed in everything, also return files whose names differ in
    more than the chapter.
    """
    groups = defaultdict[Student, list[str]](list)
    for name, told in found.items():
        if told.student.platform == "canvas" or (told.student.platform and _LOOSE.match(name)):
            groups[told.student].append(name)
    doubtful = {
        s for s, names in groups.items() if len(names) > 1 and not _is_sure(s, names, found)
    }
    if len(groups) == 1:
        doubtful |= {s for s, names in groups.items() if len({*map(_rest, names)} - {""}) > 1}
    return {name for student in doubtful for name in groups[student]}


def _is_sure(student: Student, names: list[str], found: dict[str, Owner]) -> bool:
    number = int(student.id[:18]) if student.id.isdecimal() else SMALLEST
    large = number >= SMALLEST and number not in _YEARS
    return large and all(found[n].number >= SMALLEST or _LOOSE.match(n) for n in names)


def _rest(name: str) -> str:
    """Return the rest of a file's name without platform numbers, chapter and copy number."""
    return _without_chapter(re.split(r"_\d+_(?:file_)?", name.rpartition(".")[0])[-1])


def _separate_copies(found: dict[str, Owner]) -> dict[str, Owner]:
    """Add notes to plain names that differ only in a copy or attempt number."""
    names = {told.student.name for told in found.values()}
    attempts = defaultdict[str, set[str]](set)
    for told in found.values():
        if not told.student.platform:
            attempts[_without_attempt(told.student.name)].add(told.student.name)
    found = {
        name: replace(told, note=_AN_ATTEMPT)
        if not told.student.platform
        and not told.note
        and len(attempts[_without_attempt(told.student.name)]) > 1
        else told
        for name, told in found.items()
    }
    return {
        name: replace(told, note=_A_COPY)
        if not told.student.platform
        and "/" not in name
        and (short := _COPY.sub("", told.student.name)) != told.student.name
        and (short in names or not is_a_chapter(name))
        else told
        for name, told in found.items()
    }


def _without_attempt(name: str) -> str:
    """Return a name without its attempt, or the full name if nothing is left."""
    return " ".join(_ATTEMPT.sub(" ", name.casefold()).split()) or name


def is_a_chapter(file: str) -> bool:
    """Return whether a file's name contains only a chapter, and so no person."""
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
    """Return the owner by the top folder, or by the file name without a chapter."""
    named = parts[0] if len(parts) > 1 else parts[0].rpartition(".")[0] or parts[0]
    late = bool(_LATE.search(named))
    named = _LATE.sub("", named)
    if len(parts) == 1:
        named = _without_chapter(named, copy=False) if _without_chapter(named) else named
    return Owner(Student(_plain(named)), late)


def _without_chapter(named: str, copy: bool = True) -> str:
    """Return a name without the chapter and, if `copy`, without the number of a copy."""
    return _CHAPTER.sub(" ", _COPY.sub("", named) if copy else named).strip()


def _plain(name: str) -> str:
    """Return a name as one line of printable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(shown.replace("_", " ").split())[:200] or "nobody"
