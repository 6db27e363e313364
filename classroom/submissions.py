"""Collect submissions: notebooks, folders and zips, as learning platforms export them.

Moodle's folders and flat files, Canvas' file names, nbgrader's tree and plain files are known.
Whatever is wrong with a file becomes a sentence about it, and the others go on.
"""

import datetime
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from classroom.marks import ABSENT, Student
from classroom.owners import Owner, is_a_chapter, owner, owners
from classroom.roster import Roster
from classroom.unpacking import STAMP, Found, files_of, unpack


@dataclass(frozen=True)
class Submission:
    """The submission of one student.

    Args:
        student: whose it is.
        notebooks: the files, earliest first; a later one of the same chapter replaces it.
        late: whether the platform says so of the latest.
        problem: why there is nothing to grade; empty where there is.
        source: the names that the files had.
        notes: what the teacher should know: what was refused, what was there twice.
        day: when it was handed in, where nbgrader tells.
    """

    student: Student
    notebooks: tuple[Found, ...] = ()
    late: bool = False
    problem: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    day: datetime.date | None = None


@dataclass(frozen=True)
class _Piece:
    """A file with what its name tells."""

    owner: Owner
    found: Found

    @property
    def order(self) -> tuple[int, float, str]:
        return (self.owner.number, self.found.when, self.found.name)


def collect(path: Path, scratch: Path, roster: Roster | None = None) -> list[Submission]:
    """Return the submissions, by the students' names; of a roster also those of who sent nothing.

    Args:
        path: a notebook, a zip, or a folder of them.
        scratch: an empty folder of ours, for what comes out of zips.
        roster: who is in the class, if the teacher says so.

    Raises:
        ValueError: there is nothing at `path`, or nothing in it that could be somebody's work.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"submissions must be a notebook, a zip or a folder, got {path}")
    if path.is_dir():
        found = list(files_of(path))
        if path.name == "submitted":  # nbgrader's, whose folders are students
            found = [replace(one, name=f"submitted/{one.name}") for one in found]
        elif owner(f"{path.name}/x").student.platform:  # the folder of one student alone
            found = [replace(one, name=f"{path.name}/{one.name}") for one in found]
    elif path.suffix.lower() == ".zip":
        found = list(unpack(path, scratch))
    else:
        found = [Found(path.name, path, path.stat().st_mtime)]
    if whole := [one.problem for one in found if not one.name]:
        raise ValueError(f"{path.name}: {whole[0]}")
    if all(one.other for one in found):
        raise ValueError(f"submissions must hold notebooks or zips, got none in {path}")
    collected = _grouped(_without_a_common_folder(found), scratch, roster)
    known = {_key(one.student) for one in collected}
    absent = [one.student for one in roster.people] if roster else []
    collected += [Submission(one, problem=ABSENT) for one in absent if _key(one) not in known]
    return sorted(collected, key=lambda one: (one.student.name.casefold(), one.student.key))


def _without_a_common_folder(found: list[Found]) -> list[Found]:
    """Some zips hold one folder with everything in it: all students, and not one student's work."""
    work = [one.name.partition("/") for one in found if not one.other]
    first = {name for name, _, _ in work}
    first |= {one.name.partition("/")[0] for one in found if one.other and "/" in one.name}
    inside = [name for _, _, name in work]
    if len(first) > 1 or "submitted" in first or not all(inside):
        return found
    if any(owner(name).student.platform for name in first):
        return found
    loose = [name for name in inside if "/" not in name]
    folders = {name.partition("/")[0] for name in inside if "/" in name}
    chapters = sum(map(is_a_chapter, loose))
    of_one = len({owner(name).student for name in loose}) == 1
    if loose and len(folders) < 2 and (of_one or 2 * chapters >= len(loose)):
        return found
    around = f"{first.pop()}/"
    return [replace(one, name=one.name.removeprefix(around)) for one in found]


def _grouped(found: list[Found], scratch: Path, roster: Roster | None) -> list[Submission]:
    work = [one.name for one in found if not one.other]
    whose = owners([one.name for one in found], work)
    if roster:
        whose = {name: roster.named(name, told) for name, told in whose.items()}
    pieces = defaultdict(list)
    for one in found:
        for piece in [] if one.other else _opened(one, scratch):
            pieces[_key(whose[one.name].student)].append(_Piece(whose[one.name], piece))
    by_folder = any("/" in name for name in work)
    by_folder &= not any(whose[name].student.platform for name in work)
    for one in found:  # who handed in no notebook: a platform names them, or a folder does
        told = whose[one.name].student
        if one.other and (told.platform or (by_folder and "/" in one.name)):
            known = pieces[_key(told)]
            if all(piece.found.other for piece in known):
                known[:] = [_Piece(whose[one.name], one)]
    days = {_key(whose[one.name].student): _day(one.when) for one in found if _is_stamp(one)}
    return [replace(_submission(some), day=days.get(key)) for key, some in pieces.items()]


def _is_stamp(found: Found) -> bool:
    """Whether it is nbgrader's own note: submitted/STUDENT/ASSIGNMENT/timestamp.txt."""
    parts = found.name.split("/")
    return len(parts) == 4 and parts[0] == "submitted" and parts[3] == STAMP and found.when > 0


def _day(seconds: float) -> datetime.date:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()


def _key(student: Student) -> tuple[str, str, str]:
    """The same for one name written in two ways."""
    name = unicodedata.normalize("NFKC", student.name).casefold()
    return ("" if student.id else name, student.id, student.platform)


def _opened(found: Found, scratch: Path) -> list[Found]:
    """A zip is opened once, and our copy of it is taken away; one inside it is not opened."""
    if not (found.path and found.name.lower().endswith(".zip")):
        return [found]
    inside = []
    for one in unpack(found.path, scratch, of_one=True):
        if one.other:
            continue
        name = f"{found.name}/{one.name}" if one.name else found.name
        if one.path and one.name.lower().endswith(".zip"):
            problem = f"{one.name.rpartition('/')[2]} is a zip inside a zip, and is not opened"
            inside.append(Found(name, None, problem=problem))
        else:
            inside.append(replace(one, name=name))
    if found.path.is_relative_to(scratch):
        found.path.unlink()
    return inside or [Found(found.name, None, problem=f"{found.name} holds no notebook")]


def _submission(pieces: list[_Piece]) -> Submission:
    pieces = sorted(pieces, key=lambda piece: piece.order)
    good = [piece for piece in pieces if piece.found.path]
    refused = tuple(piece.found.problem for piece in pieces if not piece.found.path)
    last = (good or pieces)[-1]
    named = tuple(f"{p.found.name}: {p.owner.note}" for p in pieces if p.owner.note)
    return Submission(
        student=last.owner.student,
        notebooks=tuple(piece.found for piece in good),
        late=last.owner.late,
        problem="" if good else refused[-1],
        source=", ".join(piece.found.name for piece in pieces),
        notes=(refused if good else refused[:-1]) + named,
    )
