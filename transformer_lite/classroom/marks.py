"""Who handed something in, and what it got: plain data that outlives the grader."""

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


@dataclass(frozen=True)
class Student:
    """A student, or a team, as a learning platform names it in an export.

    Args:
        name: the name to show, composed (NFC).
        id: the platform's number or name for the student; empty where the export tells none.
        platform: "moodle", "canvas", "nbgrader", or empty for plain files.
    """

    name: str
    id: str = ""
    platform: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What tells students apart: two may bear one name."""
        return (self.id or self.name, self.platform)


@dataclass(frozen=True)
class Mark:
    """What one answer got.

    Args:
        points: from 0 to `of`.
        of: what the exercise is worth.
        status: a key of STATUSES.
        message: what a check says, or why there was no result.
        causes: the messages of the known mistakes that do the same.
        answer: the source of the cells that define the answer, as handed in.
        by_hand: whether a person has given the points.
        comment: what that person says of it.
    """

    points: float
    of: float
    status: str
    message: str = ""
    causes: tuple[str, ...] = ()
    answer: str = ""
    by_hand: bool = False
    comment: str = ""

    def worth(self, of: float) -> "Mark":
        """Return the same where the exercise is worth something else."""
        return replace(self, points=of if self.status == "right" else 0.0, of=of)


@dataclass(frozen=True)
class Graded:
    """What one student got.

    Args:
        student: whose work it is.
        marks: one for each exercise of the class, by its name.
        problem: what was wrong with the submission as a whole, or nothing.
        late: whether the platform says that it came late.
        source: the name of what was handed in, for the teacher.
        notes: what the teacher should know, such as a second submission that was not graded.
        comment: what a person says of the whole.
    """

    student: Student
    marks: dict[str, Mark]
    problem: str = ""
    late: bool = False
    source: str = ""
    notes: tuple[str, ...] = field(default=())
    comment: str = ""

    @property
    def is_excused(self) -> bool:
        """Whether nothing of it counts."""
        return bool(self.marks) and all(mark.status == "excused" for mark in self.marks.values())

    @property
    def points(self) -> float:
        """The sum of all points."""
        return sum(mark.points for mark in self.marks.values())

    @property
    def of(self) -> float:
        """The most that there was to get."""
        return sum(mark.of for mark in self.marks.values())

    def scaled(self, most: float | None) -> float:
        """The points as a part of another maximum; None is that of the class."""
        return self.points if most is None or not self.of else self.points / self.of * most
