"""Grades in the tables that learning platforms import: Moodle, Canvas, nbgrader, and a plain one.

The safest table is the teacher's own: the grading worksheet of Moodle, or Canvas's exported grade
book. Only grade and feedback are filled in there; all other cells, and the order, are left
unchanged. Moodle's importer (`mod/assign/feedback/offline/importgradeslib.php`) rejects a table
that lacks Identifier, Grade or Last modified (grade). The layouts for Canvas and nbgrader follow
Canvas's `lib/gradebook_exporter.rb` and nbgrader's `plugins/export.py`.
"""

import csv
import html
import io
import math
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from classroom import lateness
from classroom.marks import FAILED, STATUSES, Graded, Mark, number
from classroom.markup import visible
from classroom.names import title_of
from classroom.plan import ClassPlan
from classroom.tables import cells_of, delimiter_of

Row = list[str]
#: Moodle's numbers; in right-to-left texts, an invisible mark may follow.
_DIGITS_AT_END = re.compile(r"\d+(?=[\s\u200e\u200f]*$)")
_POINTS = re.compile(r"-?|\d+([.,]\d+)?")  # with a grade or without one
_CLOCK = re.compile(r"\d[:.]\d\d")
_SCALES = ("scale", "skala", "escala", "barème", "scala", "schaal")
_MOODLES, _CANVASES = "Moodle's worksheet", "Canvas's grade book"
#: The characters that start a formula, also in East Asian full width, at the start of a cell or
#: after a character that separates cells in some country.
_FORMULA = re.compile(r"(^[\s'\"]*|[;,|\t][\s'\"]*)([=+@＝＋＠－-])")
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CANVAS_POINTS = "    Points Possible"
MOODLE_COLUMNS = ("Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)")
GRADE, COMMENTS = "Grade", "Feedback comments"


def plain_table(graded: Sequence[Graded], plan: ClassPlan) -> str:
    """Return one row for each student and one column for each exercise.

    An apostrophe is put before texts that a spreadsheet would take for formulas.
    """
    titles = map(title_of, plan.exercises)
    head = ["student", "id", "late", "points", "of", *titles, "taken off", "problem"]
    rows = [
        [
            *(single_line(g.student.name), single_line(g.student.id), lateness.days_late_note(g)),
            *(number(g.points), number(g.of)),
            *(number(g.marks[name].points) for name in plan.exercises),
            *(number(g.earned - g.points), single_line(g.problem)),
        ]
        for g in graded
    ]
    return written([head, *rows])


def moodle_table(
    graded: Sequence[Graded], sheet: str = "", grade: str = GRADE, comments: str = COMMENTS
) -> str:
    """Return Moodle's grading worksheet, filled in.

    Args:
        graded: the grades.
        sheet: the worksheet as downloaded from Moodle; without it, a new one is made.
        grade: the name of its column of grades, in the language of the site.
        comments: the name of its column of comments, which the sheet may lack.

    Raises:
        ValueError: the worksheet has no column of grades, or not the named column of comments.
    """
    if not sheet:
        rows = [
            [
                *(single_line(f"Participant {g.student.id}"), single_line(g.student.name)),
                *(number(g.points), number(g.of), "", feedback(g)),
            ]
            for g in _graded(graded)
            if g.student.id
        ]
        return written([[*MOODLE_COLUMNS, comments], *rows])
    head, *rows = _read(sheet, _MOODLES)
    points, words, most = _moodle_columns(head, rows, grade, comments)
    by_id = _by_id(graded, "moodle")
    for row in rows:
        if found := by_id.get(moodle_id(row[0])):
            limit = row[most] if most is not None else ""
            if not found.is_excused:
                row[points] = _scaled(found, limit)
            if words is not None:
                row[words] = feedback(found)
    return written([head, *rows], delimiter_of(sheet))


def moodle_id(identifier: str) -> str:
    """Return the number in Moodle's identifier: a word of the site's language, then digits.

    >>> moodle_id("Participant 4711"), moodle_id("Teilnehmer/in4711")
    ('4711', '4711')
    """
    found = _DIGITS_AT_END.search(identifier)
    return found[0] if found else ""


def _moodle_columns(
    head: Row, rows: Sequence[Row], grade: str, comments: str
) -> tuple[int, int | None, int | None]:
    """Return the columns of grades, comments and maximum; a sheet may lack the last two.

    Headings are in the language of the site. In every language, the grade is left of its maximum,
    which is the same number in all rows, and the comments come last, after a column of dates.
    """
    cells = [[row[n] for row in rows] for n in range(len(head))]
    limited = [n for n in range(2, len(head)) if len({*cells[n]}) == 1 and _limit(cells[n][0])]
    if grade in head or grade != GRADE:
        points = _column(head, grade)
        named = comments in head or comments != COMMENTS
        words = _column(head, comments) if named else None
        right = head[points + 1 : points + 2]
        if right and (right[0].casefold() in _SCALES or any("\n" in c for c in cells[points + 1])):
            raise ValueError(f"{_MOODLES} must be of an assignment with points, got {right[0]!r}")
    else:
        found = [n - 1 for n in limited if all(map(_POINTS.fullmatch, cells[n - 1]))]
        if len(found) != 1 or not all(map(moodle_id, cells[0])):
            raise ValueError(
                f"{_MOODLES} must have a column {grade!r}, got {', '.join(head)[:300]!r}. Say what "
                "it calls its columns of grades and of comments: --moodle-columns GRADE COMMENTS"
            )
        (points,) = found
        is_dated = all(cell == "-" or _CLOCK.search(cell) for cell in cells[-1])
        words = None if is_dated else len(head) - 1
    return points, words, points + 1 if points + 1 in limited else None


def late_days(sheet: str) -> dict[str, int]:
    """Return how many days late Moodle's worksheet calls whom, by the students' numbers."""
    if not sheet:
        return {}
    head, *rows = _read(sheet, _MOODLES)
    status = [row[head.index("Status")] for row in rows] if "Status" in head else []
    late = zip(rows, map(lateness.moodle_days, status), strict=False)
    return {moodle_id(row[0]): days for row, days in late if days is not None}


def canvas_table(graded: Sequence[Graded], plan: ClassPlan, sheet: str = "") -> str:
    """Return Canvas's grade book, with one column filled in.

    Args:
        graded: the grades.
        plan: the class, whose title names the column if the sheet has none for it.
        sheet: the grade book as exported from Canvas; without it, a new one is made.
    """
    if not sheet:
        most = _most(graded)
        points = [CANVAS_POINTS, "", "", "", "", number(most)]
        rows = [
            [
                *(single_line(g.student.name), single_line(g.student.id), "", "", ""),
                "EX" if g.is_excused else number(g.scaled(most)),
            ]
            for g in _graded(graded)
            if g.student.id
        ]
        return written([[*CANVAS_COLUMNS, plan.title], points, *rows])
    head, *rows = _read(sheet, _CANVASES)
    who = _column(head, "ID")
    column = _canvas_column(head, rows, plan.title, number(_most(graded)))
    limits = [row[column] for row in rows if row[0] == CANVAS_POINTS]
    by_id = _by_id(graded, "canvas")
    for row in rows:
        found = by_id.get(row[who])
        if found and row[column] != "EX":  # the teacher has excused this student
            scaled = _scaled(found, limits[0] if limits else "")
            row[column] = "EX" if found.is_excused else scaled
    return written([head, *rows], delimiter_of(sheet))


def remarks(
    graded: Sequence[Graded],
    plan: ClassPlan,
    moodle: str,
    canvas: str,
    columns: tuple[str, str] = (GRADE, COMMENTS),
) -> list[str]:
    """Return sentences about grades that do not fit a teacher's own sheets.

    Args:
        graded: the grades.
        plan: the class.
        moodle: the downloaded worksheet, or an empty text.
        canvas: the exported grade book, or an empty text.
        columns: the worksheet's names for its columns of grades and of comments.
    """
    of = sum(plan.points.values())
    sentences = []
    if moodle:
        head, *rows = _read(moodle, _MOODLES)
        sentences += _without_a_row(graded, "moodle", _ids(moodle, _MOODLES), _MOODLES)
        *_, column = _moodle_columns(head, rows, *columns)
        if column is not None:
            sentences += _another_maximum({row[column] for row in rows}, of, _MOODLES)
        if plan.late_percent and head[0] != MOODLE_COLUMNS[0]:
            problem = f"{_MOODLES} is not in English, so no late days were read from it"
            sentences.append(f"{problem}: say them in decisions.csv (late_days).")
    if canvas:
        head, *rows = _read(canvas, _CANVASES)
        sentences += _without_a_row(graded, "canvas", _ids(canvas, _CANVASES), _CANVASES)
        column = _canvas_column(head, rows, plan.title, number(of))
        most = {row[column] for row in rows if row[0] == CANVAS_POINTS}
        sentences += _another_maximum(most, of, _CANVASES)
    return sentences


def unfilled(graded: Sequence[Graded], moodle: str, canvas: str) -> list[str]:
    """Return a sentence for each sheet that received none of the existing grades."""
    sentences = []
    for platform, sheet, what in (("moodle", moodle, _MOODLES), ("canvas", canvas, _CANVASES)):
        ids = _ids(sheet, what) if sheet else set[str]()
        if sheet and _graded(graded) and not ids & _by_id(graded, platform).keys():
            student = _graded(graded)[0].student
            sentences.append(
                f"{what} got no grade. Its numbers, such as {min(ids, default='none')}, belong to "
                f"nobody who was graded, such as {student.name} ({student.id or 'no number'}). "
                "Download it and the submissions from one assignment, or give a roster with these "
                "numbers as id"
            )
    return sentences


def _ids(sheet: str, what: str) -> set[str]:
    head, *rows = _read(sheet, what)
    return {moodle_id(row[0]) if what == _MOODLES else row[_column(head, "ID")] for row in rows}


def nbgrader_table(graded: Sequence[Graded], plan: ClassPlan) -> str:
    """Return the table that nbgrader's own CSV export writes for one assignment."""
    head = ["assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"]
    head += ["raw_score", "late_submission_penalty", "score", "max_score"]
    rows = [
        [
            *(plan.slug, plan.date, "", single_line(g.student.id or g.student.name), "", "", ""),
            *(number(g.earned), number(g.earned - g.points), number(g.points), number(g.of)),
        ]
        for g in _graded(graded)
    ]
    return written([head, *rows])


def feedback(graded: Graded) -> str:
    """Return a short comment, as HTML, since Moodle shows comments as HTML."""
    lines = (html.escape(visible(line)).replace("\n", "<br>") for line in comments(graded))
    return _FORMULA.sub(lambda found: f"{found[1]}&#{ord(found[2])};", "<br>".join(lines))


def comments(graded: Graded) -> list[str]:
    """Return the comments for a student: the sum, then a text for each exercise."""
    lines = [
        f"{number(graded.points)} of {number(graded.of)} points.",
        *(f"{text}." for text in [lateness.deduction_note(graded)] if text),
        *filter(None, (graded.problem, graded.comment)),
    ]
    return lines + [_line(name, mark) for name, mark in graded.marks.items()]


def _line(name: str, mark: Mark) -> str:
    status = STATUSES[mark.status]
    message = mark.short_message(name) if mark.points < mark.of else ""
    message = message.removeprefix(status).removeprefix(".").lstrip()
    parts = (status, worth(mark) if mark.by_hand or mark.is_part else "", mark.comment, message)
    return f"{title_of(name)}: " + ". ".join(filter(None, parts))


def worth(mark: Mark) -> str:
    """Return the points of a mark and the reason."""
    points = f"{number(mark.points)} of {number(mark.of)}" + " by hand" * mark.by_hand
    if not mark.is_part:
        return points
    here, opened, held, hidden = mark.held
    return f"{points}: {here} of {opened} open cases hold and {held} of {hidden} hidden ones"


def _graded(graded: Iterable[Graded]) -> list[Graded]:
    """Return the students whose points are a grade; others keep their grades on the platform."""
    return [g for g in graded if g.problem != FAILED]


def _by_id(graded: Iterable[Graded], platform: str) -> dict[str, Graded]:
    """Return the grades by id, without other platforms' ids and without failures of the machine."""
    known = [g for g in _graded(graded) if g.student.platform in (platform, "")]
    return {g.student.id: g for g in known if g.student.id}


def _without_a_row(graded: Sequence[Graded], platform: str, ids: set[str], sheet: str) -> list[str]:
    known = _by_id(graded, platform).keys() & ids
    names = [g.student.name for g in _graded(graded) if g.student.id not in known]
    shown = ", ".join(names[:10]) + (" …" if len(names) > 10 else "")
    return [f"{sheet} has no row for {shown}: no grade goes there."] if names else []


def _another_maximum(found: set[str], of: float, sheet: str) -> list[str]:
    """Return a sentence if a sheet's maximum differs from the class's points."""
    for text in sorted(found):
        limit = _limit(text)
        if limit is not None and abs(limit - of) > 0.0051:
            problem = f"{sheet} has a maximum of {text}, and this class gives {number(of)}"
            return [f"{problem}: the grades there are scaled."]
    return []


def _scaled(graded: Graded, limit: str) -> str:
    """Scale the points to a sheet's maximum, written with a decimal comma if the sheet has one."""
    points = number(graded.scaled(_limit(limit)))
    return points.replace(".", ",") if "," in limit else points


def _limit(text: str) -> float | None:
    """Return the maximum that a sheet names, or None."""
    with suppress(ValueError):
        limit = float(text.replace(",", "."))
        return limit if math.isfinite(limit) and limit > 0 else None
    return None


def _most(graded: Sequence[Graded]) -> float:
    """Return the maximum for a new table; students with excused exercises had less."""
    return max((g.of for g in graded), default=0.0)


def _canvas_column(head: Row, rows: list[Row], title: str, most: str) -> int:
    """Find the column of the title, ignoring the number that Canvas appends, or add it."""
    for index, name in enumerate(head):
        if name == title or (name.startswith(f"{title} (") and name.endswith(")")):
            return index
    head.append(title)
    for row in rows:
        row.append(most if row[0] == CANVAS_POINTS else "")
    return len(head) - 1


def _column(head: Row, name: str) -> int:
    if name not in head:
        raise ValueError(f"the table must have a column {name!r}, got {', '.join(head)[:200]!r}")
    return head.index(name)


def _read(sheet: str, what: str) -> list[Row]:
    """Read a table, with each row as long as the first."""
    rows = cells_of(sheet, what)
    filled = [row for row in rows if row]
    if not filled or len(filled[0]) < 2:
        raise ValueError(f"{what} must be a table in CSV, got {sheet[:60]!r}")
    width = len(filled[0])
    uneven = [number for number, row in enumerate(rows, start=1) if len(row) > width]
    if uneven:
        raise ValueError(f"{what} must have {width} cells a row, got more in row {uneven[0]}")
    return [row + [""] * (width - len(row)) for row in filled]


def written(rows: Iterable[Row], delimiter: str = ",") -> str:
    """Return rows as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def single_line(text: str) -> str:
    """Return a text on one line, because a line break could start a row with a formula."""
    return _FORMULA.sub(r"\1'\2", visible(" ".join(text.split())))
