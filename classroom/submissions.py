"""Collect submissions: notebooks, folders and zips, as learning platforms export them.

It knows Moodle's folders and flat files, Canvas's file names, nbgrader's tree and plain files.
A problem with one file becomes a sentence about it, and does not affect the other files.
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
        student: the student who handed it in.
        notebooks: the files, earliest first; of each chapter, the last one counts.
        late: whether the platform calls the latest file late.
        problem: why there is nothing to grade, or an empty text.
        source: the names of the submitted files.
        notes: notes for the teacher, such as refused or duplicate files.
        day: when it was handed in, if nbgrader recorded it.
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
    """A file and its owner, as the file's name says."""

    owner: Owner
    found: Found

    @property
    def order(self) -> tuple[int, float, str]:
        return (self.owner.number, self.found.when, self.found.name)


def collect(path: Path, scratch: Path, roster: Roster | None = None) -> list[Submission]:
    """Return the submissions, sorted by student, including absent students of a roster.

    Args:
        path: a notebook, a zip, or a folder of them.
        scratch: an empty temporary folder for files from zips.
        roster: the people in the class, if there is a roster.

    Raises:
        ValueError: `path` does not exist, or contains nothing that could be somebody's work.
    """
    path = Path(path)
    if not path.exists():
        raise ValueError(f"submissions must be a notebook, a zip or a folder, got {path}")
    if path.is_dir():
        found = list(files_of(path))
        if path.name == "submitted":  # nbgrader's folder, which has a folder for each student
            found = [replace(one, name=f"submitted/{one.name}") for one in found]
        elif owner(f"{path.name}/x").student.platform:  # the folder of a single student
            found = [replace(one, name=f"{path.name}/{one.name}") for one in found]
    elif path.suffix.lower() == ".zip":
        found = list(unpack(path, scratch))
    else:
        found = [Found(path.name, path, path.stat().st_mtime)]
    if whole := [one.problem for one in found if not one.name]:
        raise ValueError(f"{path.name}: {whole[0]}")
    if all(one.other for one in found):
        raise ValueError(f"submissions must hold notebooks or zips, got none in {path}")
    collected = _grouped(_strip_common_folder(found), scratch, roster)
    known = {_key(one.student) for one in collected}
    absent = [one.student for one in roster.people] if roster else []
    collected += [Submission(one, problem=ABSENT) for one in absent if _key(one) not in known]
    return sorted(collected, key=lambda one: (one.student.name.casefold(), one.student.key))


def _strip_common_folder(found: list[Found]) -> list[Found]:
    """Remove a single top folder that contains everybody's work, as some zips have."""
    work = [entry.name.partition("/") for entry in found if not entry.other]
    first = {name for name, _, _ in work}
    first |= {entry.name.partition("/")[0] for entry in found if entry.other and "/" in entry.name}
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
    return [replace(entry, name=entry.name.removeprefix(around)) for entry in found]


def _grouped(found: list[Found], scratch: Path, roster: Roster | None) -> list[Submission]:
    work = [one.name for one in found if not one.other]
    whose = owners([one.name for one in found], work)
    if roster:
        whose = {name: roster.named(name, file_owner) for name, file_owner in whose.items()}
    pieces = defaultdict(list)
    for one in found:
        for piece in [] if one.other else _opened(one, scratch):
            pieces[_key(whose[one.name].student)].append(_Piece(whose[one.name], piece))
    by_folder = any("/" in name for name in work)
    by_folder &= not any(whose[name].student.platform for name in work)
    for one in found:  # students without a notebook, named by the platform or by a folder
        student = whose[one.name].student
        if one.other and (student.platform or (by_folder and "/" in one.name)):
            known = pieces[_key(student)]
            if all(piece.found.other for piece in known):
                known[:] = [_Piece(whose[one.name], one)]
    days = {_key(whose[one.name].student): _day(one.when) for one in found if _is_stamp(one)}
    return [replace(_submission(some), day=days.get(key)) for key, some in pieces.items()]


def _is_stamp(found: Found) -> bool:
    """Return whether this is nbgrader's note: submitted/STUDENT/ASSIGNMENT/timestamp.txt."""
    parts = found.name.split("/")
    return len(parts) == 4 and parts[0] == "submitted" and parts[3] == STAMP and found.when > 0


def _day(seconds: float) -> datetime.date:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()


def _key(student: Student) -> tuple[str, str, str]:
    """Return a key for a student, which is equal for different spellings of one name."""
    name = unicodedata.normalize("NFKC", student.name).casefold()
    return ("" if student.id else name, student.id, student.platform)


def _opened(found: Found, scratch: Path) -> list[Found]:
    """Unpack a student's zip and delete our copy of it; zips inside a zip are not opened."""
    if not (found.path and found.name.lower().endswith(".zip")):
        return [found]
    inside = []
    for file in unpack(found.path, scratch, of_one=True):
        if file.other:
            continue
        name = f"{found.name}/{file.name}" if file.name else found.name
        if file.path and file.name.lower().endswith(".zip"):
            problem = f"{file.name.rpartition('/')[2]} is a zip inside a zip, and is not opened"
            inside.append(Found(name, None, problem=problem))
        else:
            inside.append(replace(file, name=name))
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
