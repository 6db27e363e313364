"""Students and their marks, as plain data."""

from dataclasses import dataclass, field, replace

#: The problem of what the machine, and no student, has failed at.
FAILED = "the machine could not run it, and it will be tried again"
#: The problem of who is in the class and sent nothing.
ABSENT = "Nothing was handed in."
#: What became of one answer, and how a page says it.
STATUSES = {
    "right": "right",
    "wrong": "not right yet",
    "idle": "not attempted",
    "missing": "no such function",
    "stopped": "no result",
    "excused": "excused",
}


def number(points: float) -> str:
    """Write points without a comma for thousands, which some platforms read as a point."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Student:
    """A student, or a team, as a learning platform names it in an export.

    Args:
        name: the name to show, composed (NFC).
        id: the platform's number or name for the student; empty where the export tells none.
        email: an address, if a roster has one.
        platform: "moodle", "canvas", "nbgrader", or empty for plain files.
    """

    name: str
    id: str = ""
    platform: str = ""
    email: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What tells students apart: two may bear one name."""
        return (self.id or self.name, self.platform)


@dataclass(frozen=True)
class Mark:
    """The mark of one answer.

    Args:
        points: from 0 to `of`.
        of: what the exercise is worth.
        status: a key of STATUSES.
        message: what a check says, or why there was no result.
        causes: the messages of the known mistakes that do the same.
        answer: the source of the cells that define the answer, as handed in.
        by_hand: whether a person has given the points.
        comment: what that person says of it.
        held: in how many of the open cases it holds, of how many, and the same of the hidden ones;
            empty where there is no result.
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
        """Whether the points are for the cases in which it holds."""
        return self.status == "wrong" and self.points > 0 and bool(self.held) and not self.by_hand

    def said(self, name: str) -> str:
        """The message without the exercise's id, which people read as its title beside it."""
        return self.message.removeprefix(f"{name}: ")

    def worth(self, of: float, partial: bool = False) -> "Mark":
        """Return the same where the exercise is worth something else, or parts of it count.

        The part is the smaller one of the open and of the hidden cases: who knows the open ones by
        heart gets what the hidden ones give.
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
        student: whose work it is.
        marks: one for each exercise of the class, by its name.
        problem: what was wrong with the submission as a whole, or nothing.
        late: whether it came late, as the platform or a person says.
        late_days: how many days that count; None where nobody says.
        less: how much of the points these days cost, in percent.
        source: the name of what was handed in, for the teacher.
        notes: what the teacher should know, such as a second submission that was not graded.
        comment: what a person says of the whole.
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
        """Whether it does not count."""
        return bool(self.marks) and all(mark.status == "excused" for mark in self.marks.values())

    @property
    def earned(self) -> float:
        """The sum of all points, before late days cost anything."""
        return sum(mark.points for mark in self.marks.values())

    @property
    def points(self) -> float:
        """The final points."""
        return self.earned * (1 - self.less / 100)

    @property
    def of(self) -> float:
        """The maximum number of points."""
        return sum(mark.of for mark in self.marks.values())

    def scaled(self, most: float | None) -> float:
        """The points as a part of another maximum; None is that of the class."""
        return self.points if most is None or not self.of else self.points / self.of * most
