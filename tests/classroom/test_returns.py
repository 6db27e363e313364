"""Feedback is returned to the student it belongs to, and to nobody else."""

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest
from graded_class import MARKUP, PLAN, graded, whole_class

from classroom import returns
from classroom.marks import FAILED, Student
from classroom.owners import owner
from classroom.reports import write_reports


def files_in(packed):
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def pages_of(found):
    return {g.student.key: f"page of {g.student.id}" for g in found}


def test_moodle_finds_each_student_by_the_name_of_a_folder():
    """As its importer does: the parts of a name between lines are name, number and plug-in."""
    odd = graded("Under_score / ../x", "107")
    found = [*whole_class(), odd, graded("No number"), graded("Broken", "9", problem=FAILED)]
    files = files_in(returns.moodle_zip(found, pages_of(found)))
    assert len(files) == 7
    for name, page in files.items():
        folder, _, file = name.partition("/")
        _, number, kind, plugin, rest = folder.split("_")
        assert (kind, plugin, rest, file) == ("assignsubmission", "file", "", "feedback.html")
        assert page == f"page of {number}"
        assert owner(name).student.id == number
        assert ".." not in name
    assert "Zoë Ångström_102_assignsubmission_file_/feedback.html" in files


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("lovelaceada_5200_90001_05_attention.ipynb", "lovelaceada_5200_90001_05_attention.ipynb"),
        (
            "lovelaceada_5200_90001_a.ipynb, lovelaceada_LATE_5200_90002_b.ipynb",
            "lovelaceada_LATE_5200_90002_b.ipynb",
        ),
        ("export/lovelaceada_5200_90001_a.ipynb", "lovelaceada_5200_90001_a.ipynb"),
        ("lovelaceada_5200_90001_all.zip/a.ipynb", None),
        ("Ada_5200_assignsubmission_file_/a.ipynb", None),
        ("", None),
    ],
)
def test_canvas_finds_each_student_by_the_name_of_the_file(source, file):
    one = replace(graded("Ada", "5200", first=0.0), source=source)
    files = files_in(returns.canvas_zip([one]))
    assert list(files) == ([file] if file else [])
    for text in files.values():
        (cell,) = json.loads(text)["cells"]
        assert cell["cell_type"] == "raw"  # no markup of anybody's is shown as such
        assert cell["source"].startswith("Ada\n\n2 of 3 points.") and MARKUP in cell["source"]


def test_a_mail_merge_has_a_row_for_everybody_with_address_page_and_comments(tmp_path):
    ada = replace(graded("Ada", "1"), student=Student("Ada", "1", email="ada@example.org"))
    hostile = graded("=1+1", "2", first=0.0, comment="=2+2")
    write_reports(tmp_path, [ada, hostile, graded("Broken", "9", problem=FAILED)], PLAN)
    first, second = csv.DictReader(io.StringIO((tmp_path / "mail.csv").read_text()))
    assert (first["name"], first["email"], first["points"]) == ("Ada", "ada@example.org", "3")
    assert first["page"] == "feedback/ada-1.html"
    assert (tmp_path / first["page"]).is_file()
    assert first["comments"].startswith("3 of 3 points. 05 Attention: A soft look-up: right")
    assert second["name"] == "'=1+1" and "\n" not in second["comments"]
