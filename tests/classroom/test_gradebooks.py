"""What platforms import: their own tables come back with grades, and with nothing else changed."""

import csv
import io
import re
from dataclasses import replace

import pytest
from graded_class import PLAN, graded, whole_class

from classroom import gradebooks
from classroom.marks import FAILED

MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,"
    '"Last modified (grade)","Feedback comments"\n'
    'Participant 102,"Zoë Ångström",z@example.org,Submitted,,3.00,-,\n'
    "Participant 999,Nobody,n@example.org,No submission,,3.00,-,\n"
    'Participant 104,"=HYPERLINK(""x"")",h@example.org,Submitted,,3.00,-,old\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Week 2 (11),Week 3 (12),Final\n"
    '"    Points Possible",,,,,5,3,\n'
    '"Lovelace, Ada",101,s1,ada,A,4,,80\n'
    '"Ångström, Zoë",102,s2,zoe,A,3,EX,70\n'
    '"Student, Test",999,,t,A,,,\n'
)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_moodles_worksheet_gets_grades_and_comments_and_keeps_the_rest():
    before = rows(MOODLE.removeprefix("\ufeff"))
    after = rows(gradebooks.moodle_table(whole_class(), MOODLE))
    assert [row[4] for row in after] == ["Grade", "2", "", "2.5"]
    assert "2 of 3 points." in after[1][7] and after[2][7] == ""
    assert "The file is not a notebook." in after[3][7]
    for old, new in zip(before, after, strict=True):
        assert [*old[:4], *old[5:7]] == [*new[:4], *new[5:7]]


def test_canvas_table_changes_only_its_column():
    before, after = rows(CANVAS), rows(gradebooks.canvas_table(whole_class("canvas"), PLAN, CANVAS))
    assert [row[6] for row in after] == ["Week 3 (12)", "3", "3", "EX", ""]
    for old, new in zip(before, after, strict=True):
        assert [*old[:6], *old[7:]] == [*new[:6], *new[7:]]
    assert after[1][0] == "    Points Possible"


def test_the_plain_table_is_safe_in_a_spreadsheet():
    table = rows(gradebooks.plain_table(whole_class(), PLAN))
    assert table[0][:5] == ["student", "id", "late", "points", "of"]
    assert table[4][:5] == ['\'=HYPERLINK("x")', "104", "late", "2.5", "3"]
    assert table[5][0] == "Jean, dit Jeannot"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t=", "\r=", "x\r="])
def test_no_row_begins_with_a_formula(first):
    hostile = graded(f"{first}1", f"{first}2", problem=f"{first}3")
    told = {cell for row in rows(gradebooks.plain_table([hostile], PLAN)) for cell in row}
    line = " ".join(first.split())
    line = line if line.startswith("x") else f"'{line}"
    assert {f"{line}{number}" for number in (1, 2, 3)} <= told


@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
@pytest.mark.parametrize("first", "=+-@＝＋－＠")
def test_no_cell_becomes_a_formula_with_other_separators(separator, first):
    """Where lists are separated by another sign, a cell ends at it."""
    hostile = graded(f"Ada{separator} {first}1+1", f"{first}1", problem=f"x;'{first}1")
    tables = (
        gradebooks.plain_table([hostile], PLAN),
        gradebooks.moodle_table([hostile]),
        gradebooks.canvas_table([hostile], PLAN),
        gradebooks.nbgrader_table([hostile], PLAN),
    )
    for table in tables:
        cells = [part for row in rows(table) for cell in row for part in re.split("[;,|\t]", cell)]
        assert not [cell for cell in cells if cell.strip(' "').startswith(tuple("=+-@＝＋－＠"))]


def test_machine_failures_are_not_grades_in_any_table():
    failed = graded("Zoë", "102", first=0.0, second=0.0, problem=FAILED)
    for table in (
        gradebooks.moodle_table([failed]),
        gradebooks.canvas_table([failed], PLAN),
        gradebooks.nbgrader_table([failed], PLAN),
    ):
        assert "102" not in table
    assert rows(gradebooks.moodle_table([failed], MOODLE)) == rows(MOODLE.removeprefix("\ufeff"))
    assert FAILED in gradebooks.plain_table([failed], PLAN)


def test_nbgraders_table_has_the_columns_of_its_own_export():
    head, first, *_ = rows(gradebooks.nbgrader_table(whole_class(), PLAN))
    assert head[:4] == ["assignment", "duedate", "timestamp", "student_id"]
    assert head[4:7] == ["last_name", "first_name", "email"]
    assert head[7:] == ["raw_score", "late_submission_penalty", "score", "max_score"]
    assert dict(zip(head, first, strict=True))["score"] == "3"


def test_values_that_do_not_fit_a_sheet_are_reported():
    of_all = whole_class()
    assert gradebooks.remarks(of_all[:1], PLAN, MOODLE, "") == [
        "Moodle's worksheet has no row for Ada Lovelace: no grade goes there."
    ]
    assert gradebooks.remarks([of_all[1], graded("Eva")], PLAN, MOODLE, "") == [
        "Moodle's worksheet has no row for Eva: no grade goes there."
    ]
    of_100 = MOODLE.replace("3.00", "100,00").replace("100,00", '"100,00"')
    assert gradebooks.remarks([of_all[1]], PLAN, of_100, "") == [
        "Moodle's worksheet has a maximum of 100,00, and this class gives 3:"
        " the grades there are scaled."
    ]
    canvas = whole_class("canvas")
    assert gradebooks.remarks(canvas[:2], replace(PLAN, title="Week 3"), "", CANVAS) == []
    assert gradebooks.remarks(canvas[:2], replace(PLAN, title="Week 2"), "", CANVAS) == [
        "Canvas's grade book has a maximum of 5, and this class gives 3:"
        " the grades there are scaled."
    ]


def test_file_that_is_not_a_table_is_refused():
    with pytest.raises(ValueError, match="Canvas's grade book must be a table with commas"):
        gradebooks.canvas_table([], PLAN, "Student;ID\n")
    with pytest.raises(ValueError, match="must have 8 cells a row, got more in row 2"):
        gradebooks.moodle_table([], MOODLE.split("\n")[0] + "\n1,2,3,4,5,6,7,8,9\n")
    with pytest.raises(ValueError, match="the table must have a column 'ID', got 'Name, Grade'"):
        gradebooks.canvas_table([], PLAN, "Name,Grade\n")
