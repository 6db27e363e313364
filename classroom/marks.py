"""Students and their marks, as plain data."""

from dataclasses import dataclass, field, replace

#: The problem of a submission that the machine, not the student, failed at.
FAILED = "the machine could not run it, and it will be tried again"
#: The problem of a student who handed in nothing.
ABSENT = "Nothing was handed in."
#: The statuses of an answer, with their texts on a page.
STATUSES = {
    "right": "right",
    "wrong": "not right yet",
    "idle": "not attempted",
    "missing": "no such function",
    "stopped": "no result",
    "excused": "excused",
}


def number(points: float) -> str:
    """Format points without a thousands comma, which some platforms read as a decimal point."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Student:
    """A student, or a team, as a learning platform names it in an export.

    Args:
        name: the name to show, composed (NFC).
        id: the platform's number or name for the student; empty if the export has none.
        email: an address, if the roster has one.
        platform: "moodle", "canvas", "nbgrader", or empty for plain files.
    """

    name: str
    id: str = ""
    platform: str = ""
    email: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """Return the key that distinguishes students, since two may have the same name."""
        return (self.id or self.name, self.platform)


@dataclass(frozen=True)
class Mark:
    """The mark of one answer.

    Args:
        points: from 0 to `of`.
        of: the points that the exercise is worth.
        status: a key of STATUSES.
        message: the message of the check, or why there is no result.
        causes: the messages of the known mistakes with the same results.
        answer: the source of the cells that define the answer, as handed in.
        by_hand: whether a person gave the points.
        comment: that person's comment.
        held: the number of passed open cases and of all open cases, and the same for hidden ones;
            empty if there is no result.
    """

    points: float
    of: float
    status: str
    message: str = ""
    causes: tuple[str, ...] = ()
    answer: str = ""
    by_hand: bool = False
    comment: str = ""
    held: tuple[int, ...] = ()

    @property
    def is_part(self) -> bool:
        """Return whether the points are partial, for the passed cases."""
        return self.status == "wrong" and self.points > 0 and bool(self.held) and not self.by_hand

    def short_message(self, name: str) -> str:
        """Return the message without the exercise's id, because its title is shown next to it."""
        return self.message.removeprefix(f"{name}: ")

    def worth(self, of: float, partial: bool = False) -> "Mark":
        """Return the same mark for an exercise of another worth, or with partial points.

        The smaller part of the passed open and hidden cases counts, so hard-coding the open cases
        gains nothing.
        """
        part = float(self.status == "right")
        if partial and self.status == "wrong" and self.held:
            shares = zip(self.held[::2], self.held[1::2], strict=True)
            part = min(holds / cases for holds, cases in shares)
        return replace(self, points=part * of, of=of)


@dataclass(frozen=True)
class Graded:
    """The marks of one student.

    Args:
        student: the student.
        marks: one mark for each exercise of the class, by name.
        problem: what was wrong with the whole submission, or an empty text.
        late: whether it was late, according to the platform or a person.
        late_days: the number of days that count; None if unknown.
        less: the deduction for these days, in percent.
        source: the names of the submitted files, for the teacher.
        notes: notes for the teacher, such as a second submission that was not graded.
        comment: a person's comment on the whole submission.
    """

    student: Student
    marks: dict[str, Mark]
    problem: str = ""
    late: bool = False
    source: str = ""
    notes: tuple[str, ...] = ()
    comment: str = ""
    late_days: int | None = None
    less: float = 0.0

    @property
    def is_excused(self) -> bool:
        """Return whether the student is excused from everything."""
        return bool(self.marks) and all(mark.status == "excused" for mark in self.marks.values())

    @property
    def earned(self) -> float:
        """Return the sum of all points, before the deduction for late days."""
        return sum(mark.points for mark in self.marks.values())

    @property
    def points(self) -> float:
        """Return the final points."""
        return self.earned * (1 - self.less / 100)

    @property
    def of(self) -> float:
        """Return the maximum number of points."""
        return sum(mark.of for mark in self.marks.values())

    def scaled(self, most: float | None) -> float:
        """Scale the points to another maximum; None keeps the maximum of the class."""
        return self.points if most is None or not self.of else self.points / self.of * most
