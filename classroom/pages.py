"""The feedback page of a student, and the teacher's page about a class."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from classroom import lateness
from classroom.gradebooks import worth
from classroom.marks import ABSENT, STATUSES, Graded, Mark, number
from classroom.markup import Markup, element, page, section, table
from classroom.names import lesson_of, title_of
from classroom.plan import ClassPlan
from classroom.similarity import Group
from classroom.similarity_report import answer_sources, similar_answers

STYLE = Path(__file__).with_name("pages.css")
#: How many mistakes the teacher's page lists.
MOST_LISTED = 30
_TENTHS = 10
_SPREAD = "The spread is the standard deviation over those who handed in something."
Files = Mapping[tuple[str, str], str]


def feedback_page(graded: Graded, plan: ClassPlan) -> str:
    """Return the page of one student, without any data of others."""
    total = f"{number(graded.points)} of {number(graded.of)} points"
    answers = [_answer(name, graded.marks[name]) for name in plan.exercises if name in graded.marks]
    return page(
        f"{plan.title}: {graded.student.name}",
        element("p", plan.title, class_="over"),
        element("h1", graded.student.name),
        element("p", total, class_="total"),
        element("p", lateness.deduction_note(graded) or lateness.days_late_note(graded))
        if graded.late
        else "",
        element("p", graded.problem, class_="problem") if graded.problem else "",
        element("p", graded.comment) if graded.comment else "",
        answers,
        style=_style(),
    )


def _answer(name: str, mark: Mark) -> Markup:
    """Return an answer next to the message of its check."""
    both = [
        element("pre", text, tabindex="0")
        for text in (mark.answer, mark.short_message(name))
        if text
    ]
    status = element("span", STATUSES[mark.status], class_=f"status {mark.status}")
    return element(
        "section",
        element("h2", title_of(name)),
        element("p", status, f" {worth(mark)}"),
        element("p", mark.comment) if mark.comment else "",
        element("div", both, class_="two") if both else "",
    )


def teachers_page(
    graded: Sequence[Graded],
    plan: ClassPlan,
    files: Files,
    groups: Sequence[Group],
    told: Mapping[str, Mapping[str, Sequence[str]]],
) -> str:
    """Return the page about a whole class.

    Args:
        graded: the grades of each student.
        plan: the plan of the class.
        files: the path of each student's feedback, relative to the page, by the student's key.
        groups: similar answers; their students are indices into `graded`.
        told: notes about the sources of answers, by index into `graded` and by exercise.
    """
    handed_in = [g for g in graded if g.problem != ABSENT]
    return page(
        f"{plan.title}: the class",
        element("h1", plan.title),
        element("p", _count(len(handed_in), "submission"), ". Nothing here is sent anywhere."),
        _distribution(handed_in),
        _exercises(handed_in, plan),
        _mistakes(graded, plan, files),
        section("Answers that are alike", *similar_answers(graded, groups, told)),
        section("Where an answer may come from", *answer_sources(graded, told)),
        _absent(graded),
        _students(graded, plan, files),
        _matrix(graded, plan),
        style=_style(),
    )


def _distribution(graded: Sequence[Graded]) -> Markup:
    """Count the students in each tenth of the points; full marks are a row of their own."""
    tenths = Counter(_tenth(g) for g in graded)
    most = max(tenths.values(), default=1)
    rows = []
    for tenth in range(_TENTHS + 1):
        count = tenths[tenth]
        label = "all" if tenth == _TENTHS else f"{10 * tenth} to {10 * tenth + 9} %"
        rows.append([label, str(count), _bar(count / most)])
    sums = [g.points for g in graded if not g.is_excused]
    listed = table(["part of the points", "students", "as a bar"], rows, numbers=(1,))
    middle = zip(("mean", "median", "spread"), _middle(sums), strict=True)
    sentence = f"{', '.join(f'{name} {value}' for name, value in middle)}. {_SPREAD}"
    return section(
        "Points", element("p", sentence[0].upper() + sentence[1:]) if sums else "", listed
    )


def _tenth(graded: Graded) -> int:
    """Return the tenth of the points; full marks are the last, regardless of rounding."""
    if graded.of and graded.points >= graded.of:
        return _TENTHS
    return min(int(_TENTHS * graded.points / graded.of), _TENTHS - 1) if graded.of else 0


def _exercises(graded: Sequence[Graded], plan: ClassPlan) -> Markup:
    rows = []
    for name in plan.exercises:
        marks = [g.marks[name] for g in graded if name in g.marks]
        found = Counter(mark.status for mark in marks)
        right = found["right"] / max(1, sum(found.values()) - found["excused"])
        counts = [str(found[status]) for status in STATUSES]
        points = [mark.points for mark in marks if mark.status != "excused"]
        most = number(plan.points[name])
        rows.append([title_of(name), *counts, *_middle(points), most, _bar(right)])
    head = ["exercise", *STATUSES.values(), "mean", "median", "spread", "of", "part that is right"]
    columns = tuple(range(1, len(STATUSES) + 5))
    return section("Exercises", table(head, rows, numbers=columns))


def _middle(points: Sequence[float]) -> list[str]:
    """Return mean, median and standard deviation; empty without points."""
    kinds = (statistics.mean, statistics.median, statistics.pstdev)
    return [number(kind(points)) if points else "" for kind in kinds]


def _absent(graded: Sequence[Graded]) -> Markup:
    names = sorted((g.student.name for g in graded if g.problem == ABSENT), key=str.casefold)
    nobody = "Nobody is known to be missing: without a roster, who handed in nothing is not known."
    content = (
        element("ul", [element("li", name) for name in names]) if names else element("p", nobody)
    )
    return section(f"Not handed in: {len(names)}", content)


def _matrix(graded: Sequence[Graded], plan: ClassPlan) -> Markup:
    """Return a table of students and exercises; a bar means excused, a star means by hand."""
    rows = [
        [g.student.name, *(_cell(g.marks.get(name)) for name in plan.exercises), number(g.points)]
        for g in _by_name(graded)
    ]
    head = ["student", *map(title_of, plan.exercises), "all"]
    note = (
        "A line stands for an exercise that is excused, a star for points given by hand. "
        "What late days cost is taken off in the last column."
    )
    listed = table(head, rows, numbers=tuple(range(1, len(head))))
    return section("Students and exercises", element("p", note), listed)


def _by_name(graded: Sequence[Graded]) -> list[Graded]:
    return sorted(graded, key=lambda g: (g.student.name.casefold(), g.student.id))


def _cell(mark: Mark | None) -> str:
    if mark is None or mark.status == "excused":
        return "–"
    return number(mark.points) + "*" * mark.by_hand


def _mistakes(graded: Sequence[Graded], plan: ClassPlan, files: Files) -> Markup:
    """List the known mistakes, the most frequent first, with who made them and what may help."""
    found = defaultdict[tuple[str, str], list[Graded]](list)
    for g in graded:
        for name, mark in g.marks.items():
            for cause in mark.causes:
                found[name, cause].append(g)
    order = {name: place for place, name in enumerate(plan.exercises)}
    ranked = sorted(found, key=lambda key: (-len(found[key]), order.get(key[0], 0), key))
    rows = [
        [
            str(len(found[name, cause])),
            [title_of(name), " ", element("a", "Lesson plan", href=lesson_of(name))],
            cause,
            [element("div", _name(g, files)) for g in found[name, cause]],
        ]
        for name, cause in ranked[:MOST_LISTED]
    ]
    nothing = "No answer does just what a known mistake does."
    listed = table(["students", "exercise", "what it does", "who"], rows, numbers=(0,))
    return section("The most frequent mistakes", listed if rows else element("p", nothing))


def _name(graded: Graded, files: Files) -> Markup:
    return element("a", graded.student.name, href=files[graded.student.key])


def _students(graded: Sequence[Graded], plan: ClassPlan, files: Files) -> Markup:
    rows = []
    for g in _by_name(graded):
        remarks = [
            lateness.deduction_note(g) or lateness.days_late_note(g),
            g.problem,
            *g.notes,
            g.comment,
        ]
        said = ". ".join(filter(None, remarks))
        rows.append([_name(g, files), g.student.id, number(g.points), said])
    of = number(max((g.of for g in graded), default=0))
    return section(
        "Students", table(["student", "id", f"points of {of}", "remarks"], rows, numbers=(2,))
    )


def _bar(part: float) -> Markup:
    return element("span", "", class_="bar", style=f"width: {100 * part:.0f}%", aria_hidden="true")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _style() -> str:
    return STYLE.read_text(encoding="utf-8")
