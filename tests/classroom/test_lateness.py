"""Late days are deducted by the class's rule wherever their number is known."""

import csv
import io
from dataclasses import replace

import pytest
from class_work import hand_in, notebook, plan_for
from graded_class import PLAN, graded, whole_class

from classroom import decisions, gradebooks, grading, lateness
from classroom.__main__ import main
from classroom.answers import Answers
from classroom.reports import write_reports
from classroom.submissions import collect

RULE = replace(PLAN, late_percent=10, late_grace=1, late_most=25)
MOODLE = (
    "Identifier,Full name,Status,Grade,Maximum grade,Last modified (grade)\n"
    "Participant 101,Ada,Submitted for grading - 1 day 3 hours late,,3.00,-\n"
    "Participant 102,Zoë,Submitted for grading,,3.00,-\n"
)


@pytest.mark.parametrize(
    ("status", "days"),
    [
        ("Submitted for grading - 1 day 3 hours late", 2),
        ("Submitted for grading - 2 days late - Graded", 2),
        ("Submitted for grading - 5 mins 3 secs late", 1),
        ("Submitted for grading - 1 year 2 days late", 367),
        ("Submitted for grading", None),
        ("No submission - Assignment is overdue by: 3 days", None),
        ("Enviado para calificar - 2 días después", None),
    ],
)
def test_moodle_late_days_are_parsed(status, days):
    assert lateness.moodle_days(status) == days


@pytest.mark.parametrize(
    ("days", "less", "points"), [(0, 0, 3), (1, 0, 3), (2, 10, 2.7), (3, 20, 2.4), (9, 25, 2.25)]
)
def test_deduction_grows_per_day_up_to_a_cap(days, less, points):
    (one,) = lateness.with_deductions([graded("Ada", "1", late=days > 0, late_days=days)], RULE)
    assert (one.less, one.earned) == (less, 3)
    assert one.points == pytest.approx(points)


def test_excused_student_has_no_deduction():
    made = decisions.read(decisions.HEAD + "101,,,yes,9,,,\n", PLAN)
    (one, *_), _ = decisions.decided(whole_class(), made)
    assert [lateness.deduction_note(g) for g in lateness.with_deductions([one], RULE)] == [""]


def test_deduction_is_shown_on_all_pages_and_tables(tmp_path):
    late = replace(whole_class()[0], late=True, late_days=2)
    found = lateness.with_deductions([late, *whole_class()[1:]], RULE)
    write_reports(tmp_path, found, RULE)
    told = "3, less 10 % for 2 days late"
    assert told in (tmp_path / "teacher.html").read_text(encoding="utf-8")
    page = (tmp_path / "feedback/ada-lovelace-101.html").read_text(encoding="utf-8")
    assert "2.7 of 3 points" in page and told in page
    assert told in gradebooks.feedback(found[0])
    rows = {name: read(tmp_path / f"{name}.csv") for name in ("grades", "moodle", "nbgrader")}
    ada = rows["grades"][0]
    assert (ada["late"], ada["points"], ada["taken off"]) == ("2 days late", "2.7", "0.3")
    assert rows["moodle"][0]["Grade"] == "2.7"
    first = rows["nbgrader"][0]
    names = ("raw_score", "late_submission_penalty", "score")
    assert [first[name] for name in names] == ["3", "0.3", "2.7"]


def read(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    ("row", "days", "late"),
    [
        ("101,,,,,1,,", 1, True),
        ("101,,,,,2,,", 0, False),
        ("101,,,,5,1,,", 4, True),
        ("101,,,,,,so,", 2, True),
        ("102,,,,,,so,", None, False),
    ],
)
def test_teachers_days_and_extensions_apply_after_moodle(row, days, late):
    found = lateness.with_days(whole_class(), gradebooks.late_days(MOODLE))
    made = decisions.read(decisions.HEAD + row + "\n", PLAN)
    after = {g.student.id: g for g in decisions.decided(found, made)[0]}[row[:3]]
    assert (after.late_days, after.late) == (days, late)


def test_command_uses_moodle_days_and_reports_missing_ones(tmp_path, monkeypatch, capsys):
    RULE.save(tmp_path / "class.json")
    (tmp_path / "sheet.csv").write_text(MOODLE, encoding="utf-8")
    monkeypatch.setattr(grading, "grade", lambda *_: whole_class())
    arguments = ["grade", "in", "--out", str(tmp_path), "--class", str(tmp_path / "class.json")]
    assert main([*arguments, "--moodle", str(tmp_path / "sheet.csv")]) == 0
    assert [row["points"] for row in read(tmp_path / "grades.csv")][:2] == ["2.7", "2"]
    assert [row["Grade"] for row in read(tmp_path / "moodle.csv")] == ["2.7", "2"]
    told = capsys.readouterr().err
    assert "Of 1 late submissions nobody says by how many days: say it in" in told


@pytest.mark.parametrize(
    ("stamp", "days"),
    [
        ("2027-04-02 09:05:12.123456 UTC", 2),
        ("2027-03-31 23:59:59 UTC", 0),
        ("2027-03-01 00:00:00 UTC", 0),
        ("yesterday", None),
        (None, None),
    ],
)
def test_nbgrader_timestamp_determines_late_days(stamp, days, tmp_path, monkeypatch):
    chapter = "05_attention"
    ours = hand_in(tmp_path / "submitted", f"ada/week/{chapter}.ipynb", notebook(chapter, {}))
    hand_in(tmp_path / "submitted", f"bea/week/{chapter}.ipynb", notebook(chapter, {}))
    (ours.parent / "more").mkdir()
    (ours.parent / "more/timestamp.txt").write_text("2027-12-31")  # a student's own
    if stamp:
        (ours.parent / "timestamp.txt").write_text(stamp)
    monkeypatch.setattr(grading.Grader, "_run", lambda *_: Answers())
    monkeypatch.setattr(grading.Grader, "_sandbox", None)
    plan = replace(plan_for(chapter), date="2027-03-31", late_percent=10)
    ada, bea = grading.grade(tmp_path / "submitted", tmp_path / "out", plan, 1)
    assert (ada.late_days, ada.late) == (days, bool(days))
    assert (bea.late_days, bea.late) == (None, False)
    assert all(one.notebooks for one in collect(tmp_path / "submitted", tmp_path))
