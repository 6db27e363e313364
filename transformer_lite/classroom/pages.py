"""What a student reads about each answer, and what a teacher sees of a class."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from transformer_lite.classroom._html import Child, Markup, element, page
from transformer_lite.classroom.gradebooks import number
from transformer_lite.classroom.likeness import Pair
from transformer_lite.classroom.marks import STATUSES, Graded, Mark
from transformer_lite.classroom.plan import ClassPlan

STYLE = Path(__file__).with_name("pages.css")
#: How many mistakes and pairs the teacher's page lists.
MOST_LISTED = 30
_TENTHS = 10


def feedback_page(graded: Graded, plan: ClassPlan) -> str:
    """Return the page of one student: nothing of anybody else's is on it."""
    total = f"{number(graded.points)} of {number(graded.of)} points"
    answers = [_answer(name, graded.marks[name]) for name in plan.exercises if name in graded.marks]
    return page(
        f"{plan.title}: {graded.student.name}",
        element("p", plan.title, class_="over"),
        element("h1", graded.student.name),
        element("p", total, class_="total"),
        element("p", graded.problem, class_="problem") if graded.problem else "",
        answers,
        style=_style(),
    )


def _answer(name: str, mark: Mark) -> Markup:
    return element(
        "section",
        element("h2", name),
        element(
            "p",
            element("span", STATUSES[mark.status], class_=f"status {mark.status}"),
            f" {number(mark.points)} of {number(mark.of)}",
        ),
        element("pre", mark.message, tabindex="0") if mark.message else "",
    )


def teachers_page(
    graded: Sequence[Graded],
    plan: ClassPlan,
    files: Mapping[tuple[str, str], str],
    pairs: Sequence[Pair],
    copies: Mapping[str, Sequence[str]],
) -> str:
    """Return the page about a whole class.

    Args:
        graded: what each student got.
        plan: the class.
        files: where each student's feedback stands, relative to the page, by the student's key.
        pairs: answers that are alike; their students are indices into `graded`.
        copies: for each student, by index into `graded`, the exercises whose answer is one that is
            published.
    """
    return page(
        f"{plan.title}: the class",
        element("h1", plan.title),
        element("p", _count(len(graded), "submission"), ". Nothing here is sent anywhere."),
        _distribution(graded),
        _exercises(graded, plan),
        _mistakes(graded, plan),
        _alike(graded, pairs),
        _copied(graded, copies),
        _students(graded, plan, files),
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
    return _section(
        "Points", _table(["part of the points", "students", "as a bar"], rows, numbers=(1,))
    )


def _tenth(graded: Graded) -> int:
    """Full marks are the last, whatever the rounding of a sum of points."""
    if graded.of and graded.points >= graded.of:
        return _TENTHS
    return min(int(_TENTHS * graded.points / graded.of), _TENTHS - 1) if graded.of else 0


def _exercises(graded: Sequence[Graded], plan: ClassPlan) -> Markup:
    rows = []
    for name in plan.exercises:
        found = Counter(g.marks[name].status for g in graded if name in g.marks)
        right = found["right"] / max(1, sum(found.values()))
        rows.append([name, *(str(found[status]) for status in STATUSES), _bar(right)])
    head = ["exercise", *STATUSES.values(), "part that is right"]
    columns = tuple(range(1, len(STATUSES) + 1))
    return _section("Exercises", _table(head, rows, numbers=columns))


def _mistakes(graded: Sequence[Graded], plan: ClassPlan) -> Markup:
    """List the known mistakes, the most frequent first."""
    found = Counter(
        (name, cause) for g in graded for name, mark in g.marks.items() for cause in mark.causes
    )
    order = {name: place for place, name in enumerate(plan.exercises)}
    ranked = sorted(found.items(), key=lambda item: (-item[1], order.get(item[0][0], 0), item[0]))
    rows = [[str(count), name, cause] for (name, cause), count in ranked[:MOST_LISTED]]
    nothing = "No answer does just what a known mistake does."
    table = _table(["students", "exercise", "what it does"], rows, numbers=(0,))
    return _section("The most frequent mistakes", table if rows else element("p", nothing))


def _alike(graded: Sequence[Graded], pairs: Sequence[Pair]) -> Markup:
    """List pairs of students, those with the most answers alike first, with their answers."""
    together: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        together[pair.students].append(pair)
    ranked = sorted(together.items(), key=lambda item: (-len(item[1]), item[0]))
    note = (
        "Layout, comments and chosen names do not count, nor does what many have written. Short "
        "answers and bug hunts are left out. That two are alike proves nothing: look at them."
    )
    listed = [_pair(graded, found) for _, found in ranked[:MOST_LISTED]]
    nothing = element("p", "No two answers are alike.")
    return _section("Answers that are alike", element("p", note), listed or nothing)


def _pair(graded: Sequence[Graded], found: Sequence[Pair]) -> Markup:
    one, other = (graded[int(index)] for index in found[0].students)
    names = ", ".join(f"{pair.exercise} ({pair.likeness:.0%})" for pair in found)
    answers = [
        element(
            "div",
            element("h4", f"{who.student.name}, {pair.exercise}"),
            element("pre", who.marks[pair.exercise].answer, tabindex="0"),
        )
        for pair in found
        for who in (one, other)
    ]
    summary = f"{one.student.name} and {other.student.name}: {names}"
    return element("details", element("summary", summary), element("div", answers, class_="two"))


def _copied(graded: Sequence[Graded], copies: Mapping[str, Sequence[str]]) -> Markup:
    title = "Answers as the book has them"
    rows = [[graded[int(index)].student.name, ", ".join(n)] for index, n in copies.items() if n]
    note = (
        "Token for token, names included, these answers are solutions that the book shows. They "
        "keep their points: what they are worth, you decide."
    )
    if not rows:
        return _section(title, element("p", "No answer is one of the book's, token for token."))
    return _section(title, element("p", note), _table(["student", "exercises"], rows))


def _students(
    graded: Sequence[Graded], plan: ClassPlan, files: Mapping[tuple[str, str], str]
) -> Markup:
    rows = []
    for g in sorted(graded, key=lambda g: (g.student.name.casefold(), g.student.id)):
        name = element("a", g.student.name, href=files[g.student.key])
        remarks = ["late"] * g.late + [g.problem] * bool(g.problem) + list(g.notes)
        cells: list[Child] = [name, g.student.id, number(g.points), ". ".join(remarks)]
        rows.append(cells)
    of = number(max((g.of for g in graded), default=0))
    return _section(
        "Students", _table(["student", "id", f"points of {of}", "remarks"], rows, numbers=(2,))
    )


def _section(title: str, *children: Child) -> Markup:
    return element("section", element("h2", title), children)


def _table(
    head: Sequence[str], rows: Sequence[Sequence[Child]], numbers: tuple[int, ...] = ()
) -> Markup:
    """Return a table that scrolls by itself; the first cell of a row names it."""

    def cell(index: int, content: Child) -> Markup:
        kind = "number" if index in numbers else ""
        return (
            element("th", content, scope="row")
            if not index
            else element("td", content, class_=kind)
        )

    top = element("tr", [element("th", name, scope="col") for name in head])
    body = [element("tr", [cell(i, content) for i, content in enumerate(row)]) for row in rows]
    table = element("table", element("thead", top), element("tbody", body))
    return element("div", table, class_="scrolls", tabindex="0", role="group", aria_label="table")


def _bar(part: float) -> Markup:
    return element("span", "", class_="bar", style=f"width: {100 * part:.0f}%", aria_hidden="true")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def _style() -> str:
    return STYLE.read_text(encoding="utf-8")
