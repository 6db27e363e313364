"""A teacher's decisions are validated, survive every run and apply in all tables."""

import csv
import io

import pytest
from graded_class import MARKUP, PLAN, whole_class

from classroom import decisions, gradebooks, grading, pages
from classroom.__main__ import main

SOFT, MIXED = PLAN.exercises


def read(*rows, head="student,exercise,points,excused,late_days,extension,comment,reason"):
    return decisions.read("\n".join([head, *rows, ""]), PLAN)


def after(*rows):
    """The class with these rows applied, by the students' ids."""
    found, said = decisions.decided(whole_class(), read(*rows))
    assert not said
    return {g.student.id: g for g in found}


def test_points_by_hand_replace_computed_points():
    found = after(f'102,{SOFT},"0,5",,,,Nearly.,The shape was right')
    one = found["102"].marks[SOFT]
    assert (one.points, one.of, one.by_hand, one.status) == (0.5, 1.0, True, "wrong")
    assert found["102"].points == 2.5
    assert found["101"] == whole_class()[0]
    page = pages.feedback_page(found["102"], PLAN)
    assert "0.5 of 1 by hand" in page and "Nearly. The shape was right" in page
    assert "0.5 of 1 by hand. Nearly." in gradebooks.feedback(found["102"])


def test_excused_exercises_do_not_count():
    found = after(f"102,{SOFT},,yes,,,,ill", "103,,,,,,,x")
    assert (found["102"].points, found["102"].of, found["102"].is_excused) == (2.0, 2.0, False)
    assert found["102"].scaled(100) == 100
    assert found["103"].comment == "x"


@pytest.mark.parametrize(
    ("row", "late"),
    [
        ("104,,,,,,,", True),
        ("104,,,,,3,,", False),
        ("104,,,,2,,,", True),
        ("104,,,,2,2,,", False),
        ("104,,,,3,2,,", True),
        ("104,,,,0,,,", False),
    ],
)
def test_days_determine_lateness(row, late):
    found = after(row)["104"]
    assert found.late is late
    assert ("an extension of 2 days" in found.notes) == (row[9:10] == "2")
    assert after("104,,,,1,1,,")["104"].notes == ("handed in 1 day late", "an extension of 1 day")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (",,,,,,,", None),
        (f",{SOFT},1,,,,,x", "row 2: student must be the id or the name of a student, got ''"),
        ("1,masks.x,1,,,,,x", "row 2: exercise must be one of this class, or empty, got 'masks.x'"),
        ("1,,1,,,,,x", "row 2: points must be empty where no exercise is named, got '1'"),
        (f"1,{SOFT},1,,,,,", "row 2: reason must be given where points are, got ''"),
        (f"1,{SOFT},2,,,,,x", "row 2: points must be a number from 0 to 1, got '2'"),
        (f"1,{SOFT},-1,,,,,x", "points must be a number from 0 to 1, got '-1'"),
        (f"1,{SOFT},nan,,,,,x", "points must be a number from 0 to 1, got 'nan'"),
        (f"1,{SOFT},,no,,,,", "excused must be yes or empty, got 'no'"),
        (f"1,{SOFT},1,yes,,,,x", "excused must be empty where points are given, got 'yes'"),
        ("1,,,,1.5,,,", "late_days must be a whole number of days, 3650 at most, got '1.5'"),
        ("1,,,,,9999,,", "extension must be a whole number of days, 3650 at most, got '9999'"),
        (f"1,{SOFT},,,2,,,", "late_days must be empty where an exercise is named, got '2'"),
        ("1,,,,,,a\n1,,,,,,b", "decisions must have one row for 1, got rows 2 and 3"),
    ],
)
def test_errors_name_their_row(row, told):
    if told is None:
        assert read(row) == []
        return
    with pytest.raises(ValueError) as caught:
        read(row)
    assert told in str(caught.value)


def test_runs_keep_the_table_and_refuse_a_wrong_one_before_grading(tmp_path, monkeypatch, capsys):
    PLAN.save(tmp_path / "class.json")
    out = tmp_path / "out"
    out.mkdir()
    arguments = ["grade", "in", "--out", str(out), "--class", str(tmp_path / "class.json")]
    monkeypatch.setattr(grading, "grade", lambda *_: whole_class())
    assert main(arguments) == 0
    assert (out / "decisions.csv").read_text() == decisions.HEAD
    mine = f"{decisions.HEAD}102,{SOFT},1,,,,{MARKUP.replace(chr(34), '')},by mouth\n"
    (out / "decisions.csv").write_text(mine, encoding="utf-8")
    for _ in range(2):
        assert main(arguments) == 0
        assert (out / "decisions.csv").read_text(encoding="utf-8") == mine
    rows = {row[1]: row for row in csv.reader(io.StringIO((out / "grades.csv").read_text()))}
    assert rows["102"][3:5] == ["3", "3"]
    assert "<script>" not in (out / "teacher.html").read_text(encoding="utf-8")
    (out / "decisions.csv").write_text(mine + "x,y\n", encoding="utf-8")
    monkeypatch.setattr(grading, "grade", None)
    assert main(arguments) == 2
    assert "decisions, row 3: exercise must be one of this class" in capsys.readouterr().err
