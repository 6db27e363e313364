"""The teacher's decisions, in one table that a person edits and that no run changes.

`decisions.csv` is in the folder of the grades. The first run writes its header; from then on it is
yours. Each row is about one student, and about one exercise, or about all if that column is empty:

    student    the id or the name, as in grades.csv, or the code of anonymous marking
    exercise   its title as on the pages, or its id, such as attention.attend
    points     the points instead of the grader's, for one exercise; needs a reason
    excused    yes: it does not count, neither as points nor in the maximum
    late_days  the number of days late, instead of the platform's; for all exercises together
    extension  the number of days by which the deadline is extended
    comment    shown on the student's page
    reason     why; shown there too
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from classroom.lateness import days
from classroom.marks import Graded, Mark
from classroom.names import named
from classroom.plan import ClassPlan
from classroom.tables import Row, rows_of

FILE = "decisions.csv"
COLUMNS = (
    *("student", "exercise", "points", "excused"),
    *("late_days", "extension", "comment", "reason"),
)
HEAD = ",".join(COLUMNS) + "\n"
_MOST_DAYS = 3_650
Key = tuple[str, str]


@dataclass(frozen=True)
class Decision:
    """One row of the table; fields that it does not decide are None, False or empty."""

    row: str
    student: str
    exercise: str = ""
    points: float | None = None
    excused: bool = False
    late_days: int | None = None
    extension: int | None = None
    comment: str = ""
    reason: str = ""


def read(text: str, plan: ClassPlan) -> list[Decision]:
    """Read the table.

    Raises:
        ValueError: it breaks a rule; the message names the row, the column and the value.
    """
    found = [_decision(row, plan) for row in rows_of(text, "decisions", COLUMNS[:1], COLUMNS)]
    seen: dict[tuple[str, str], str] = {}
    for one in found:
        earlier = seen.setdefault((one.student, one.exercise), one.row)
        if earlier != one.row:
            what = f"{one.student} {one.exercise}".strip()
            raise ValueError(
                f"decisions must have one row for {what}, got rows {earlier} and {one.row}"
            )
    return found


def _decision(row: Row, plan: ClassPlan) -> Decision:
    def must(rule: bool, column: str, words: str) -> None:
        if not rule:
            value = row.get(column, "")
            raise ValueError(
                f"decisions, row {row['']}: {column} must be {words}, got {value!r:.60}"
            )

    def count(column: str) -> int | None:
        text = row.get(column, "")
        rule = not text or (text.isascii() and text.isdecimal() and int(text[:9]) <= _MOST_DAYS)
        must(rule, column, f"a whole number of days, {_MOST_DAYS} at most")
        must(not (text and exercise), column, "empty where an exercise is named")
        return int(text) if text else None

    exercise, reason = named(row.get("exercise", ""), plan), row.get("reason", "")
    must(bool(row["student"]), "student", "the id or the name of a student")
    must(not exercise or exercise in plan.exercises, "exercise", "one of this class, or empty")
    points = row.get("points", "")
    must(not points or bool(exercise), "points", "empty where no exercise is named")
    most = plan.points.get(exercise, 0)
    must(not points or 0 <= _number(points) <= most, "points", f"a number from 0 to {most:g}")
    must(not points or bool(reason), "reason", "given where points are")
    must(row.get("excused", "") in ("", "yes"), "excused", "yes or empty")
    must(not (points and row.get("excused")), "excused", "empty where points are given")
    return Decision(
        row[""],
        row["student"],
        exercise,
        _number(points) if points else None,
        row.get("excused") == "yes",
        count("late_days"),
        count("extension"),
        row.get("comment", ""),
        reason,
    )


def _number(text: str) -> float:
    """Return a number with a decimal point or comma; for other texts, one that no rule allows."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return -1.0
    return found if math.isfinite(found) else -1.0


def decided(
    graded: Sequence[Graded], decisions: Iterable[Decision], codes: Mapping[Key, str] | None = None
) -> tuple[list[Graded], list[str]]:
    """Apply the decisions to the grades; also return a sentence for each unknown student.

    Args:
        graded: the grades of each student.
        decisions: the rows of the table.
        codes: the code of each student, if they are marked without names.

    Raises:
        ValueError: a name belongs to two students.
    """

    def code_of(student_grades: Graded) -> str | None:
        return codes.get(student_grades.student.key) if codes else None

    found, remarks = list(graded), []
    for decision in decisions:
        about = [i for i, g in enumerate(found) if g.student.id == decision.student]
        about = about or [i for i, g in enumerate(found) if g.student.name == decision.student]
        about = about or [i for i, g in enumerate(found) if code_of(g) == decision.student.upper()]
        if len(about) > 1:
            raise ValueError(
                f"decisions, row {decision.row}: student must be an id where two have the name, "
                f"got {decision.student!r}"
            )
        if not about:
            remarks.append(
                f"decisions, row {decision.row}: nobody here is {decision.student!r:.60}."
            )
        for index in about:
            found[index] = _with(found[index], decision)
    return found, remarks


def _with(graded: Graded, decision: Decision) -> Graded:
    names = [decision.exercise] if decision.exercise else list(graded.marks)
    marks = {
        name: _marked(mark, decision) if name in names else mark
        for name, mark in graded.marks.items()
    }
    if decision.exercise:
        return replace(graded, marks=marks)
    reported = graded.late_days if decision.late_days is None else decision.late_days
    counted = None if reported is None else max(0, reported - (decision.extension or 0))
    late = graded.late and decision.extension is None if counted is None else counted > 0
    added = [] if reported is None else [f"handed in {days(reported)} late"]
    added += [] if decision.extension is None else [f"an extension of {days(decision.extension)}"]
    notes = graded.notes + tuple(added)
    comment = " ".join(filter(None, (decision.comment, decision.reason)))
    return replace(graded, marks=marks, late=late, late_days=counted, notes=notes, comment=comment)


def _marked(mark: Mark, decision: Decision) -> Mark:
    if decision.excused:
        mark = replace(mark, points=0.0, of=0.0, status="excused", message="")
    if decision.points is not None:
        mark = replace(mark, points=decision.points, by_hand=True)
    if decision.exercise:
        mark = replace(mark, comment=" ".join(filter(None, (decision.comment, decision.reason))))
    return mark
