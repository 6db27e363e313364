"""Hostile names and notebooks change no marks and break no report."""

import csv
import io
import json
import zipfile

import pytest
from class_work import plan_for

from classroom import (
    gradebooks,
    grading,
    jobs,
)
from classroom.marks import Graded, Mark, Student
from classroom.notebooks import code_of
from classroom.owners import owner
from classroom.submissions import collect

PLAN = plan_for("05_attention")
FILE = "05_attention.ipynb"


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
def test_file_name_cannot_claim_another_students_number(name, who):
    assert owner(name).student.id == who


def test_formula_in_a_name_is_escaped():
    evil = '=HYPERLINK("http://example.org")'
    moodle = gradebooks.moodle_table([graded(Student(evil, "1", "moodle"))])
    canvas = gradebooks.canvas_table([graded(Student(evil, "1", "canvas"))], PLAN)
    for table in (moodle, canvas):
        cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
        assert evil not in cells
        assert f"'{evil}" in cells


def test_nested_zip_cannot_fill_the_disk(tmp_path):
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


def test_only_latest_of_many_notebooks_are_read(tmp_path, monkeypatch):
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
