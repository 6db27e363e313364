"""What a teacher decides is read with care, kept over every run, and stands in all tables."""

import csv
import io
from dataclasses import replace

import pytest
from graded_class import MARKUP, PLAN, graded, mark, whole_class

from classroom import decisions, gradebooks, grading, pages
from classroom.__main__ import main
from classroom.marks import ABSENT
from classroom.reports import write_reports

SOFT, MIXED = PLAN.exercises


def read(*rows, head="student,exercise,points,excused,late_days,extension,comment,reason"):
    return decisions.read("\n".join([head, *rows, ""]), PLAN)


def after(*rows):
    """The class with these rows applied, by the students' ids."""
    found, said = decisions.decided(whole_class(), read(*rows))
    assert not said
    return {g.student.id: g for g in found}


def test_points_by_hand_take_the_place_of_the_grader_s():
    found = after(f'102,{SOFT},"0,5",,,,Nearly.,The shape was right')
    one = found["102"].marks[SOFT]
    assert (one.points, one.of, one.by_hand, one.status) == (0.5, 1.0, True, "wrong")
    assert found["102"].points == 2.5
    assert found["101"] == whole_class()[0]
    page = pages.feedback_page(found["102"], PLAN)
    assert "0.5 of 1 by hand" in page and "Nearly. The shape was right" in page
    assert "0.5 of 1 by hand. Nearly." in gradebooks.feedback(found["102"])


def test_what_is_excused_counts_for_nothing():
    found = after(f"102,{SOFT},,yes,,,,ill", "103,,,,,,,x")
    assert (found["102"].points, found["102"].of, found["102"].is_excused) == (2.0, 2.0, False)
    assert found["102"].scaled(100) == 100
    assert found["103"].comment == "x"


def test_who_is_excused_of_all_is_excused_on_every_platform():
    whole = after("102,,,yes,,,,").values()
    found = [replace(g, student=replace(g.student, platform="")) for g in whole]
    assert next(g for g in found if g.student.id == "102").is_excused
    sheet = "Identifier,Grade,Last modified (grade)\nParticipant 102,old,\nParticipant 101,,\n"
    rows = list(csv.reader(io.StringIO(gradebooks.moodle_table(found, sheet))))
    assert [row[1] for row in rows] == ["Grade", "old", "3"]
    sheet = "Student,ID,SIS User ID,SIS Login ID,Section\nZoë,102,,,\nAda,101,,,\n"
    rows = list(csv.reader(io.StringIO(gradebooks.canvas_table(found, PLAN, sheet))))
    assert [row[-1] for row in rows[1:]] == ["EX", "3"]
    rows = list(csv.reader(io.StringIO(gradebooks.canvas_table(found, PLAN))))
    assert {row[1]: row[-1] for row in rows}["102"] == "EX"


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
def test_days_say_what_is_late(row, late):
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
def test_what_breaks_a_rule_is_told_with_its_row(row, told):
    if told is None:
        assert read(row) == []
        return
    with pytest.raises(ValueError) as caught:
        read(row)
    assert told in str(caught.value)


def test_a_name_of_two_is_refused_and_one_of_nobody_is_told():
    with pytest.raises(ValueError, match="row 2: student must be an id where two have the name"):
        decisions.decided(whole_class(), read("Ada Lovelace,,,yes,,,,"))
    found, said = decisions.decided(whole_class(), read("Nobody,,,yes,,,,"))
    assert found == whole_class()
    assert said == ["decisions, row 2: nobody here is 'Nobody'."]


def test_a_column_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="decisions must have no others than the columns student"):
        read("1,2", head="student,bonus")


def test_no_run_changes_the_table_and_a_wrong_one_is_told_before_anything_runs(
    tmp_path, monkeypatch, capsys
):
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


def test_grades_are_scaled_to_what_a_sheet_expects():
    sheet = (
        "Identifier,Grade,Maximum Grade,Last modified (grade)\n"
        'Participant 101,,"100,00",\nParticipant 102,,100.00,\nParticipant 104,,,\n'
    )
    rows = list(csv.reader(io.StringIO(gradebooks.moodle_table(whole_class(), sheet))))
    assert [row[1] for row in rows] == ["Grade", "100", "66.67", "2.5"]
    canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Week 3\n    Points Possible,,,,,30\n"
    canvas += "Ada,101,,,,\nZoë,102,,,,\n"
    rows = list(
        csv.reader(io.StringIO(gradebooks.canvas_table(whole_class("canvas"), PLAN, canvas)))
    )
    assert [row[-1] for row in rows[1:]] == ["30", "30", "20"]


def test_the_teacher_sees_everybody_and_every_exercise(tmp_path):
    absent = graded("Late Riser", "107", first=0.0, second=0.0, problem=ABSENT)
    by_hand = replace(mark(0.5, 1.0), by_hand=True)
    excused = replace(mark(0.0, 2.0), of=0.0, status="excused")
    other = graded("Bea", "108", marks={SOFT: by_hand, MIXED: excused})
    write_reports(tmp_path, [*whole_class(), other, absent], PLAN)
    page = (tmp_path / "teacher.html").read_text(encoding="utf-8")
    assert "7 submissions" in page and "Not handed in: 1" in page
    assert "<li>Late Riser</li>" in page
    assert (
        '<tr><th scope="row">Bea</th><td class="number">0.5*</td><td class="number">–</td>'
        '<td class="number">0.5</td></tr>'
    ) in page
    # Of the first exercise seven have 1, 0, 0, 0.5, 1, 1 and 0.5; of the second six have points.
    assert (
        '<td class="number">0.57</td><td class="number">0.5</td><td class="number">0.42</td>'
        in page
    )
    assert '<td class="number">1.33</td><td class="number">2</td><td class="number">0.94' in page
