"""A roster says whose work is what, who sent nothing, and what is wrong with it."""

import json

import pytest
from class_work import plan_for

from classroom import grading
from classroom.__main__ import main
from classroom.marks import ABSENT, Student
from classroom.roster import Roster
from classroom.submissions import collect

PEOPLE = """name,id,files
Ada Lovelace,5200,
Zoë Ångström,5201,
Ben Ng,,hw_3_1_attention;cool name.ipynb
Anna,,
Anna Lee,,
"""
TEXT = json.dumps({"nbformat": 4, "cells": []})


def collected(tmp_path, *names, roster=PEOPLE):
    for name in names:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(TEXT)
    return collect(tmp_path / "in", tmp_path, Roster.read(roster))


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ada L._5200_assignsubmission_file_/x.ipynb", Student("Ada Lovelace", "5200")),
        ("lovelaceada_5200_90001_x.ipynb", Student("Ada Lovelace", "5200")),
        ("angstromzoe_77000_90001_x.ipynb", Student("Zoë Ångström", "5201")),
        ("zoe_angstrom_05_attention.ipynb", Student("Zoë Ångström", "5201")),
        ("2027_03_28_Angstrom, Zoe.ipynb", Student("Zoë Ångström", "5201")),
        ("hw_3_1_attention.ipynb", Student("Ben Ng")),
        ("Cool Name.ipynb", Student("Ben Ng")),
        ("anna (1).ipynb", Student("Anna")),
        ("anna lee.ipynb", Student("Anna Lee")),
    ],
)
def test_work_is_named_by_the_roster(name, student, tmp_path):
    found = {one.student: one for one in collected(tmp_path, name)}
    assert len(found) == 5
    assert (found[student].problem, found[student].notes) == ("", ())
    assert {one.problem for who, one in found.items() if who != student} == {ABSENT}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("eve.ipynb", "it fits nobody of the roster"),
        ("mallory_66000_77700_ada_lovelace.ipynb", "it fits nobody of the roster"),
        ("anna lee and ada lovelace.ipynb", "it fits Ada Lovelace, Anna Lee of the roster"),
    ],
)
def test_ambiguous_names_are_not_guessed(name, why, tmp_path):
    found = {one.student.name: one for one in collected(tmp_path, name)}
    assert len(found) == 6
    (note,) = found[name.removesuffix(".ipynb").partition("_")[0]].notes
    assert note == f"{name}: whose it is, is not sure: {why}"


@pytest.mark.parametrize(
    "content",
    [
        "Name;ID;files;email\nZoë;5201;a b.ipynb;z@example.org\n".encode(),
        "name;id\r\nZoë;5201\r\n".encode("utf-8-sig"),
        "name\tid\r\nZoë\t5201\r\n".encode("utf-16"),
        "sep=;\r\n NAME ;Id;;;\r\n;;;;\r\n\r\nZoë;5201;;;\r\n".encode(),
        "\n\nname,id,\nZoë,5201,\n".encode(),
        '"name","id"\n"Zoë","5201"\n'.encode("utf-16-be").replace(b'\0"', b'\xfe\xff\0"', 1),
    ],
)
def test_roster_is_read_as_excel_writes_it(content, tmp_path):
    (tmp_path / "roster.csv").write_bytes(content)
    (zoe,) = Roster.load(tmp_path / "roster.csv").people
    assert (zoe.name, zoe.id) == ("Zoë", "5201")


def test_names_and_files_may_contain_delimiters():
    people = Roster.read('name;files\n"Lovelace, Ada; Countess";"a.ipynb;b.ipynb"\n').people
    assert (people[0].name, people[0].files) == ("Lovelace, Ada; Countess", ("a.ipynb", "b.ipynb"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("name\nAda\nZoë\n".encode("cp1252"), "must be in UTF-8, and line 3 is not: 'Zo"),
        ("name\nЗоя\n".encode("cp1251"), "must be in UTF-8, and line 2 is not: "),
        ("name\nZoë\n".encode("utf-16-le"), "must be text in UTF-8, and it has zero bytes"),
        (b"\xff\xfen", "must be in UTF-8, and line 1 is not: "),
        (b"PK\x03\x04\x14\0", "must be a table in CSV, and it is a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1", "must be a table in CSV, and it is a workbook"),
    ],
)
def test_unreadable_roster_is_refused_with_the_way_to_save_it(content, told, tmp_path):
    (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(ValueError) as caught:
        Roster.load(tmp_path / "roster.csv")
    assert told in str(caught.value)
    assert "In Excel choose Save As, CSV UTF-8" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the roster must have a column 'name', got ''"),
        ("id\n1\n", "the roster must have a column 'name', got 'id'"),
        (
            "name,mail\nA,b\n",
            "no others than the columns name, id, files, email, each once, got 'mail'",
        ),
        ("name,name\nA,b\n", "each once, got 'name'"),
        ("name,id\nA,1\n,2\n", "must have a name in each row, got '' in row 3"),
        ("name,id\nA,1\nB,1\n", "must have each id once, got '1' of A and B"),
        ("name\nA\nA\n", "must have each name without an id once, got 'A' of A and A"),
        ("name,id,files\nA,,x\nB,,y;X\n", "must have each file once, got 'x' of A and B"),
        ("name,email\nA,b c@d\n", "must have an address or nothing as email, got 'b c@d' in row 2"),
        ("name\nA,1\n", "the roster must have 1 cells a row, got 2 in row 2"),
    ],
)
def test_wrong_roster_is_refused_with_a_reason(text, told):
    with pytest.raises(ValueError) as caught:
        Roster.read(text)
    assert told in str(caught.value)


def test_command_reports_uncertain_names(tmp_path, capsys, monkeypatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/eve.ipynb").write_text("{")
    (tmp_path / "roster.csv").write_text("\ufeffName\nAda\n", encoding="utf-8")
    plan_for("05_attention").save(tmp_path / "class.json")
    seen = []
    real = grading.Grader
    monkeypatch.setattr(grading, "Grader", lambda *given: seen.append(given[-1]) or real(*given))
    arguments = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    arguments += ["--class", str(tmp_path / "class.json"), "--roster", str(tmp_path / "roster.csv")]
    assert main(arguments) == 0
    assert "1 submissions bear names of which it is not sure" in capsys.readouterr().err
    assert (tmp_path / "roster.csv").resolve() in seen[0]
    assert "Nothing was handed in." in (tmp_path / "out/grades.csv").read_text()
