"""Anonymous marking: reports name nobody, and decisions by code reach the right student."""

import csv
import io

import pytest
from graded_class import ANSWER, PLAN, RENAMED, graded, mark

from classroom import anonymous, decisions, grading
from classroom.__main__ import main
from classroom.marks import Mark
from classroom.reports import write_reports

SECRET = PLAN.secret


def a_class():
    """Three students whose names and files occur in remarks and messages."""
    stopped = Mark(0, 1.0, "stopped", "ada.ipynb: it is a link. Ada Lovelace has another.")
    answers = [{"attention.contextual": mark(2.0, 2.0, text)} for text in (ANSWER, RENAMED)]
    return [
        graded(
            "Ada Lovelace",
            "501",
            source="in/ada.ipynb",
            problem="ada.ipynb: it is a link",
            notes=("in/ada.ipynb was not graded", "it fits Ada Lovelace, Bo of the roster"),
            marks={"attention.soft_lookup": stopped} | answers[0],
        ),
        graded("Bo", "502", first=0.0, source="bo.ipynb", marks=answers[1]),
        graded("Cleo", "503", first=0.0),
    ]


def test_reports_are_anonymous_and_the_key_names_everybody(tmp_path):
    codes = anonymous.codes_of(a_class(), SECRET)
    write_reports(tmp_path, a_class(), PLAN, codes=codes)
    read = [tmp_path / "teacher.html", *(tmp_path / "feedback").iterdir()]
    assert len(read) == 4
    for path in read:
        page = path.read_text(encoding="utf-8")
        for word in ("Ada", "Lovelace", "Bo ", "Bo<", "Cleo", "501", "ada.ipynb", "bo.ipynb"):
            assert word not in page and word.lower() not in path.name
    teacher = read[0].read_text(encoding="utf-8")
    assert all(code in teacher for code in codes.values())
    assert all(f'href="feedback/{code.lower()}.html"' in teacher for code in codes.values())
    rows = list(csv.DictReader(io.StringIO((tmp_path / "key.csv").read_text())))
    assert {row["code"]: row["student"] for row in rows} == {
        codes[g.student.key]: g.student.name for g in a_class()
    }
    assert [row["code"] for row in rows] == sorted(codes.values())
    grades = (tmp_path / "grades.csv").read_text()
    assert "Ada Lovelace" in grades  # platforms need them


def test_codes_depend_on_student_and_secret_only():
    few, more = a_class(), [*a_class(), graded("Dora", "504")]
    codes = anonymous.codes_of(few, SECRET)
    assert codes.items() <= anonymous.codes_of(more, SECRET).items()
    assert not set(codes.values()) & set(anonymous.codes_of(few, "1" * 64).values())


@pytest.mark.parametrize("options", [[], ["--anonymous"]])
def test_command_accepts_decisions_by_code(options, tmp_path, monkeypatch, capsys):
    PLAN.save(tmp_path / "class.json")
    monkeypatch.setattr(grading, "grade", lambda *_: a_class())
    code = anonymous.codes_of(a_class(), SECRET)["503", "moodle"]
    row = f"{code.lower()},05 Attention: A soft look-up,1,,,,,seen\n"
    (tmp_path / "decisions.csv").write_text(decisions.HEAD + row)
    arguments = ["grade", "in", "--out", str(tmp_path), "--class", str(tmp_path / "class.json")]
    assert main([*arguments, *options]) == 0
    assert "nobody here" not in capsys.readouterr().err
    rows = csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text()))
    assert {row["student"]: row["points"] for row in rows}["Cleo"] == "3"
    assert ("Cleo" in (tmp_path / "teacher.html").read_text()) is not bool(options)
    assert (tmp_path / "key.csv").exists() is bool(options)


def pages_in(folder):
    return {path.name for path in (folder / "feedback").glob("*.html")}


def test_pages_of_earlier_runs_are_removed(tmp_path):
    whole = a_class()
    write_reports(tmp_path, whole, PLAN)
    named = pages_in(tmp_path)
    assert write_reports(tmp_path, whole[1:], PLAN) == []
    assert len(pages_in(tmp_path)) == len(named) - 1  # who has withdrawn
    (tmp_path / "feedback/mine.html").write_text("a teacher's own")
    edited = sorted(pages_in(tmp_path) - {"mine.html"})[0]
    (tmp_path / "feedback" / edited).write_text("changed by hand")
    for _ in range(2):
        (said,) = write_reports(tmp_path, whole, PLAN, codes=anonymous.codes_of(whole, SECRET))
        assert "did not write" in said and edited in said and "mine.html" in said
        assert len(pages_in(tmp_path)) == len(whole) + 2
        assert pages_in(tmp_path) & named == {edited}
