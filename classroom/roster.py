"""The roster of a class: a table by the teacher that assigns submissions to people.

It is a CSV file with a row for each person and these columns, of which only the first is required:

    name   the name to show
    id     the platform's number, or name, for the person
    files  names of files or folders of this person, separated by semicolons
    email  an address, for mail.csv

A submission belongs to the person who lists its file, else to the person with its number, else to
the person whose full name occurs in its name, if that is only one person.
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
        """Return the student to grade this person as, whatever platform the work came from."""
        return Student(self.name, self.id, email=self.email)


class Roster:
    """The people of a class.

    Args:
        people: the people.

    Raises:
        ValueError: two people have the same number or file, or the same name and no numbers.
    """

    def __init__(self, people: Iterable[Person]):
        self.people = tuple(people)
        self._by_id = _once("id", ((person.id, person) for person in self.people if person.id))
        files = ((_plain(file), person) for person in self.people for file in person.files)
        self._by_file = _once("file", files)
        _once(
            "name without an id", ((person.name, person) for person in self.people if not person.id)
        )

    @classmethod
    def load(cls, path: str | Path) -> "Roster":
        """Read a roster.

        Raises:
            ValueError: the file is not a roster; the message says what is wrong, and in which row.
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
        """Return the owner of a file according to the roster.

        Args:
            name: its path in the submission.
            told: the owner according to its name alone.
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
        """Return the people whose full name occurs in a name; prefer Anna Lee to Anna."""
        words, joined = set(_words(name)), "".join(_words(name))
        fitting = {
            person: set(_words(person.name))
            for person in self.people
            if set(_words(person.name)) <= words or joined in _in_one(_words(person.name))
        }
        return [
            person
            for person, own in fitting.items()
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
    """Return the words of a name without accents, because platforms remove them."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return re.findall(
        r"\w+", "".join(c for c in letters if not unicodedata.combining(c)).replace("_", " ")
    )


def _in_one(words: list[str]) -> set[str]:
    """Return a name as one word, as Canvas writes it, with each word as the family name in turn."""
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}
