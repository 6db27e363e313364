"""Find the owner of a file, from the name that a learning platform gave it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from classroom.marks import Student
from lessons.kit.exercises import CHAPTERS


@dataclass(frozen=True)
class Owner:
    """The owner of a file, from its name.

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
#: How platforms and people tell attempts apart: "attempt_2027-03-01-10-30-00", "v2", a date.
_ATTEMPT = re.compile(
    r"\b(attempt|versuch|tentative|intento|tentativa|version)( ?\d{1,3})?\b|\b(v|try) ?\d{1,3}\b"
    r"|\d{4}[ .-]?\d\d[ .-]?\d\d([T .-]*\d\d){0,3}\b"
    r"|\b([a-z]{3,9}\.? \d{1,2}|\d{1,2}\.? [a-z]{3,9}),? \d{4}\b|\b\d{1,2}[:.]?\d\d ?[ap]m\b"
)
#: Numbers of a platform are larger than those that people write into names, and no years.
SMALLEST, _YEARS = 1_000, range(1_900, 2_100)


def owners(names: Collection[str], work: Collection[str]) -> dict[str, Owner]:
    """Return the owners of files that were submitted together.

    Names of platforms inside other folders are theirs if all work bears one: else such a folder is
    a student, who has named what lies in it. Canvas gives each student one number and each file
    another: what contradicts this is no name of Canvas'. Two who may be two people stay two.

    Args:
        names: the paths in what was handed in, with slashes.
        work: those of notebooks and zips.
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
    return _with_copies_apart(found)


def owner(name: str, deep: bool = False) -> Owner:
    """Return the owner of a file from its name alone.

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


def _not_sure(found: dict[str, Owner]) -> set[str]:
    """The files that one student's number may join by chance: several, with small numbers or years.

    And those that differ by more than chapters, where one student seems to have handed in all.
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
    """What a file's name says after a platform's numbers, beside the chapter and a copy."""
    return _without_chapter(re.split(r"_\d+_(?:file_)?", name.rpartition(".")[0])[-1])


def _with_copies_apart(found: dict[str, Owner]) -> dict[str, Owner]:
    """Tell of plain names that differ by the number of a copy or an attempt: one person, or two."""
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
    """Return a name without an attempt, or the whole if nothing of it is left."""
    return " ".join(_ATTEMPT.sub(" ", name.casefold()).split()) or name


def is_a_chapter(file: str) -> bool:
    """Return whether a file is named after a chapter alone, and so after nobody."""
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
        named = _without_chapter(named, copy=False) if _without_chapter(named) else named
    return Owner(Student(_plain(named)), late)


def _without_chapter(named: str, copy: bool = True) -> str:
    """What a name says beside the chapter and, if asked for, beside the number of a copy."""
    return _CHAPTER.sub(" ", _COPY.sub("", named) if copy else named).strip()


def _plain(name: str) -> str:
    """A name on one line, of printable characters."""
    shown = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(shown.replace("_", " ").split())[:200] or "nobody"
