"""The roster of a class: a table, written once by the teacher, that names submissions.

A CSV file with a row for each person and these columns, of which only the first is needed:

    name   as it is to be shown
    id     the platform's number, or name, for the person
    files  names of files or folders that are this person's, separated by semicolons
    email  an address, for mail.csv

A submission is that of the person whose file it is; else of the one with its number; else of the
one whose whole name stands in its name, if it fits nobody else.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from classroom.marks import Student
from classroom.owners import NOT_SURE, SMALLEST, Owner
from classroom.tables import read_table, rows_of

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
COLUMNS = ("name", "id", "files", "email")


@dataclass(frozen=True)
class Person:
    """One row: a name, the platform's number, names of files, and an address."""

    name: str
    id: str = ""
    files: tuple[str, ...] = ()
    email: str = ""

    @property
    def student(self) -> Student:
        """As whom the person is graded, whatever platform the work came from."""
        return Student(self.name, self.id, email=self.email)


class Roster:
    """The people of a class.

    Args:
        people: who they are.

    Raises:
        ValueError: a number or a file belongs to two, or two of one name have no numbers.
    """

    def __init__(self, people: Iterable[Person]):
        self.people = tuple(people)
        self._by_id = _once("id", ((one.id, one) for one in self.people if one.id))
        files = ((_plain(file), one) for one in self.people for file in one.files)
        self._by_file = _once("file", files)
        _once("name without an id", ((one.name, one) for one in self.people if not one.id))

    @classmethod
    def load(cls, path: str | Path) -> "Roster":
        """Read a roster.

        Raises:
            ValueError: the file is none; the message says what is wrong, and in which row.
        """
        return cls.read(read_table(Path(path)))

    @classmethod
    def read(cls, text: str) -> "Roster":
        """Read a roster from the text of its file, with the same errors."""
        rows = rows_of(text, "the roster", COLUMNS[:1], COLUMNS)
        for row in rows:
            if not row["name"] or not row["name"].isprintable():
                raise ValueError(
                    f"the roster must have a name in each row, got {row['name']!r} in row {row['']}"
                )
            if row.get("email") and not _ADDRESS.fullmatch(row["email"]):
                told = f"got {row['email']!r:.60} in row {row['']}"
                raise ValueError(f"the roster must have an address or nothing as email, {told}")
        return cls(
            Person(
                row["name"],
                row.get("id", ""),
                tuple(filter(None, map(str.strip, row.get("files", "").split(";")))),
                row.get("email", ""),
            )
            for row in rows
        )

    def named(self, name: str, told: Owner) -> Owner:
        """Return whose a file is, as the roster says.

        Args:
            name: its path in what was handed in.
            told: what its name says by itself.
        """
        top = _plain(name.partition("/")[0])
        by_file = self._by_file.get(top) or self._by_file.get(top.rpartition(".")[0])
        if found := by_file or self._by_id.get(told.student.id):
            return replace(told, student=found.student, note="")
        by_hand = told.student.platform == "canvas" and told.number < SMALLEST
        fitting = self._fitting(top.rpartition(".")[0] or top if by_hand else told.student.name)
        if len(fitting) == 1:
            return replace(told, student=fitting[0].student, note="")
        names = ", ".join(one.name for one in fitting[:3])
        why = f"it fits {names} of the roster" if fitting else "it fits nobody of the roster"
        return replace(told, note=f"{NOT_SURE}: {why}")

    def _fitting(self, name: str) -> list[Person]:
        """Who has all words of their name in it; of Anna and Anna Lee the longer one."""
        words, joined = set(_words(name)), "".join(_words(name))
        fitting = {
            one: set(_words(one.name))
            for one in self.people
            if set(_words(one.name)) <= words or joined in _in_one(_words(one.name))
        }
        return [
            one
            for one, own in fitting.items()
            if not any(own < other for other in fitting.values())
        ]


def _once(what: str, pairs: Iterable[tuple[str, Person]]) -> dict[str, Person]:
    found: dict[str, Person] = {}
    for key, person in pairs:
        if key in found:
            names = f"{found[key].name} and {person.name}"
            raise ValueError(f"the roster must have each {what} once, got {key!r} of {names}")
        found[key] = person
    return found


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _words(name: str) -> list[str]:
    """The words of a name without accents, since platforms leave them out."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return re.findall(
        r"\w+", "".join(c for c in letters if not unicodedata.combining(c)).replace("_", " ")
    )


def _in_one(words: list[str]) -> set[str]:
    """A name in one word, as Canvas writes it: the family name first, whichever it is."""
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}
