"""Names and notebooks that strangers made take nobody's marks and fell no report."""

import csv
import io
import json
import os
import zipfile

import pytest
from class_work import plan_for
from graded_class import ANSWER, RENAMED

from classroom import (
    gradebooks,
    grading,
    jobs,
    likeness,
    notebooks,
    released,
    submissions,
)
from classroom.marks import Graded, Mark, Student
from classroom.notebooks import code_of
from classroom.owners import owner, owners
from classroom.plan import ClassPlan, known_exercises
from classroom.released import chapter_of, released_chapters
from classroom.reports import write_reports
from classroom.submissions import collect

PLAN = plan_for("05_attention")
FILE = "05_attention.ipynb"
HALF = "\ud800"  # half of a character, which JSON can hold and no file


def graded(student, points=1.0, answer="", **more):
    marks = {n: Mark(points, 1, "right", "", (), answer) for n in PLAN.exercises}
    return Graded(student, marks, **more)


def notebook(*sources):
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"nbformat": 4, "cells": cells})


@pytest.mark.parametrize(
    ("name", "who"),
    [
        (f"Mallory_66_assignsubmission_file_/submitted/12/week1/{FILE}", "66"),
        (f"Mallory_66_assignsubmission_file_/Alice_12_assignsubmission_file_/{FILE}", "66"),
        ("Mallory_66_assignsubmission_file_/alice_12_900_hunt.ipynb", "66"),
        ("mallory_66_777_alice_12_file_.ipynb", "66"),
        ("mallory_LATE_66_777_alice_12_assignsubmission_file_.ipynb", "66"),
        ("mallory_66_777_anon_xY_12_.ipynb", "66"),
    ],
)
def test_nobody_takes_anothers_number_by_a_name_of_their_own(name, who):
    assert owner(name).student.id == who


def test_a_number_of_one_platform_is_nobody_on_another():
    alice, other = Student("alice", "12", "canvas"), Student("zz", "12", "moodle")
    both = [graded(alice), graded(other, 0)]
    sheet = "Student,ID,SIS User ID,SIS Login ID,Section\nAlice,12,,,\n"
    assert list(csv.reader(io.StringIO(gradebooks.canvas_table(both, PLAN, sheet))))[1][-1] == "3"
    sheet = "Identifier,Grade,Last modified (grade)\nParticipant 12,,\n"
    assert list(csv.reader(io.StringIO(gradebooks.moodle_table(both, sheet))))[1][1] == "0"


def test_a_formula_in_a_name_is_none_in_a_new_table():
    evil = '=HYPERLINK("http://example.org")'
    moodle = gradebooks.moodle_table([graded(Student(evil, "1", "moodle"))])
    canvas = gradebooks.canvas_table([graded(Student(evil, "1", "canvas"))], PLAN)
    for table in (moodle, canvas):
        cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
        assert evil not in cells
        assert f"'{evil}" in cells


def test_a_name_in_the_letters_of_an_old_windows_is_a_name(tmp_path):
    folder = os.fsencode(tmp_path / "in") + b"/J\xf6rg_7_assignsubmission_file_"
    os.makedirs(folder)
    with open(folder + b"/\xfcbung.ipynb", "w") as file:
        file.write(notebook("x = 1"))
    (tmp_path / "scratch").mkdir()
    (found,) = collect(tmp_path / "in", tmp_path / "scratch")
    assert found.student == Student("Jörg", "7", "moodle")
    assert found.notebooks[0].name.endswith("übung.ipynb")
    assert code_of(found.notebooks[0].path) == ["x = 1"]


def test_half_a_character_fells_no_report(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_text(notebook(f"def attend(q):\n    return '{HALF}'"))
    (cell,) = code_of(path)
    cell.encode()
    answer = f"{ANSWER}    return '{HALF}'"
    who = [graded(Student(f"a{n}{HALF}"), answer=answer, problem=HALF) for n in range(2)]
    assert likeness.alike({"one": answer, "other": answer})
    write_reports(tmp_path, who, PLAN)
    assert (tmp_path / "teacher.html").read_text(encoding="utf-8")


def test_more_code_than_a_person_writes_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.ipynb"
    path.write_text(notebook(*["x = 1\n" * 100] * 3))
    monkeypatch.setattr(notebooks, "_MOST_CODE", 1700)
    with pytest.raises(ValueError, match="more than 1700 characters of code"):
        code_of(path)


def test_a_students_own_zip_fills_no_disk(tmp_path):
    own = io.BytesIO()
    with zipfile.ZipFile(own, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(60):
            archive.writestr(f"{number}.ipynb", bytes(4 << 20))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/Mallory_66_assignsubmission_file_x.zip").write_bytes(own.getvalue())
    (tmp_path / "scratch").mkdir()
    (found,) = collect(tmp_path / "in", tmp_path / "scratch")
    assert sum(p.stat().st_size for p in (tmp_path / "scratch").iterdir()) <= 100 << 20
    assert "unpacks to more" in found.notes[-1]


def test_a_name_that_nobody_has_is_not_even_looked_at(tmp_path, monkeypatch):
    """Some searches through a name take the square of its length."""
    seen = []
    monkeypatch.setattr(submissions, "owners", lambda *n: seen.extend(n[0]) or owners(*n))
    names = [f"eve{'-' * 60_000}.ipynb", "Ada.ipynb"]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in names:
            archive.writestr(name, notebook("x = 1"))
    (tmp_path / "scratch").mkdir()
    whole = collect(tmp_path / "all.zip", tmp_path / "scratch")
    ada, eve = sorted(whole, key=lambda one: len(one.student.name))
    assert eve.problem == "a name of 60009 characters is not read, and may have 1000"
    assert eve.student.name.startswith("eve-") and not ada.problem
    assert max(map(len, seen)) == 1000


def test_the_chapter_of_a_notebook_is_found_by_reading_it_once(monkeypatch):
    names = known_exercises()
    chapters = released_chapters(ClassPlan("All", "", names, "5" * 64, dict.fromkeys(names, 1.0)))
    read = []
    real = released._bare
    monkeypatch.setattr(released, "_bare", lambda cell: read.append(cell) or real(cell))
    cells = ["exercises.a.b.check(" * 1_000, "exercises.masks.masked_weights.check(f)"]
    assert chapter_of(cells, chapters).name == "masks"
    assert (len(chapters), read) == (28, cells)


def test_of_very_many_notebooks_the_last_are_read_and_the_teacher_is_told(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(jobs, "code_of", lambda path: read.append(path) or code_of(path))
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in/Mallory.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(130):
            archive.writestr(f"{number:03}.ipynb", notebook("exercises.a.b.check(" * 100))
    (tmp_path / "scratch").mkdir()
    (one,) = collect(tmp_path / "in", tmp_path / "scratch")
    grader = grading.Grader(PLAN, tmp_path, tmp_path, ())
    job = jobs.Job(grader, one)
    assert len(read) == 100
    assert job._notes[0] == "30 notebooks were not read: the last 100 are"


def test_who_looks_on_sees_from_the_beginning_where_it_is(tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(grading, "_show", lambda text, end="": told.append(text))
    monkeypatch.setattr(grading, "collect", lambda *n: told.append("collected") or collect(*n))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/Ada.ipynb").write_text("{")
    grading.grade(tmp_path / "in", tmp_path / "out", PLAN, 1)
    assert told == ["Unpacking what was handed in …", "collected", "1 of 1 read: Ada", ""]


def test_a_copy_with_more_around_it_is_still_alike():
    more = "def unused(n):\n    for i in range(n):\n        n = n * 3 - i ** 2 + len(str(n)) // 7\n"
    padded = more + RENAMED + more.replace("3", "5")
    assert likeness.alike({"one": ANSWER, "other": padded})
