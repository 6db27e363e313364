"""Deductions for late days, from the rule of the class and the days that platforms report.

`class.json` has the rule. Each day late costs `late_percent` of the earned points. The first
`late_grace` days cost nothing, and all days together cost at most `late_most` percent. Days are
counted only if they are known: from Moodle's worksheet, nbgrader's time of collection, or
decisions.csv. Canvas says only that a file was late.
"""

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace

from classroom.marks import Graded, number
from classroom.plan import ClassPlan

#: The remark about students to whom the rule cannot be applied.
UNKNOWN = "late, and nobody says by how many days: nothing is taken off"
#: Moodle's worksheet in English: "Submitted for grading - 1 day 3 hours late".
_MOODLE = re.compile(r"(?<!\S)((?:\d+ (?:year|day|hour|min|sec)s? )+)late\b")
_PART = re.compile(r"(\d+) (year|day)?")
_DAYS = {"year": 365, "day": 1, "": 0}


def moodle_days(status: str) -> int | None:
    """Return the days late from Moodle's status, rounded up; None if it is not late.

    >>> moodle_days("Submitted for grading - 1 day 3 hours late")
    2
    """
    if not (found := _MOODLE.search(status)):
        return None
    amounts = [(int(number[:6]), unit) for number, unit in _PART.findall(found[1])]
    begun = any(number and not unit for number, unit in amounts)
    return sum(number * _DAYS[unit] for number, unit in amounts) + begun


def days_after(due: str, day: datetime.date | None) -> int | None:
    """Return how many days after the due date a submission was handed in; None if unknown."""
    if not due or day is None:
        return None
    return max(0, (day - datetime.date.fromisoformat(due)).days)


def with_days(graded: Sequence[Graded], late: dict[str, int]) -> list[Graded]:
    """Set the late days that Moodle reports, by its student numbers."""
    return [
        replace(g, late=True, late_days=late[g.student.id])
        if g.student.id in late and g.student.platform in ("moodle", "")
        else g
        for g in graded
    ]


def with_deductions(graded: Sequence[Graded], plan: ClassPlan) -> list[Graded]:
    """Apply the deductions for late days, and note students whose days are unknown."""
    return [_with_deduction(g, plan) for g in graded] if plan.late_percent else list(graded)


def _with_deduction(graded: Graded, plan: ClassPlan) -> Graded:
    if graded.late and graded.late_days is None:
        return replace(graded, notes=(*graded.notes, UNKNOWN))
    counted = 0 if graded.is_excused else graded.late_days or 0
    days = max(0, counted - plan.late_grace)
    return replace(graded, less=min(plan.late_most, plan.late_percent * days))


def days(number: int) -> str:
    """Return a number of days as text."""
    return f"{number} day{'s' * (number != 1)}"


def days_late_note(graded: Graded) -> str:
    """Return how late a submission was, or an empty text."""
    if not graded.late:
        return ""
    return "late" if graded.late_days is None else f"{days(graded.late_days)} late"


def deduction_note(graded: Graded) -> str:
    """Return the deduction, as in "7, less 10 % for 1 day late", or an empty text."""
    if not graded.less:
        return ""
    return f"{number(graded.earned)}, less {graded.less:g} % for {days_late_note(graded)}"
