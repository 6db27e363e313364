"""Submissions in the forms of every platform: their owners, and files that are never read."""

import json
import os
import stat
import struct
import unicodedata
import zipfile

import pytest

from classroom import unpacking
from classroom.marks import Student
from classroom.notebooks import code_of
from classroom.owners import owner
from classroom.submissions import collect

NOTEBOOK = {"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x = 1\n", "y = 2"]}]}
TEXT = json.dumps(NOTEBOOK)
FILE = "05_attention.ipynb"


@pytest.mark.parametrize(
    ("name", "student", "number", "platform", "late"),
    [
        (f"Zoë Müller_4711_assignsubmission_file/{FILE}", "Zoë Müller", "4711", "moodle", False),
        (f"Zoë Müller_4711_assignsubmission_file_{FILE}", "Zoë Müller", "4711", "moodle", False),
        (f"Ada Lovelace_12_file_/{FILE}", "Ada Lovelace", "12", "moodle", False),
        (f"Participant_98_assignsubmission_file/{FILE}", "Participant", "98", "moodle", False),
        (f"Group_7_assignsubmission_file/{FILE}", "Group", "7", "moodle", False),
        (f"mullerzoe_LATE_52_9001_{FILE}", "mullerzoe", "52", "canvas", True),
        (f"mullerzoe_52_9001_{FILE}", "mullerzoe", "52", "canvas", False),
        (f"LATE_anon_xY3_9001_{FILE}", "anon_xY3", "anon_xY3", "canvas", True),
        (f"course/submitted/ada/week1/{FILE}", "ada", "ada", "nbgrader", False),
        (f"Ada Lovelace/{FILE}", "Ada Lovelace", "", "", False),
        ("Ada Lovelace.ipynb", "Ada Lovelace", "", "", False),
        (f"ada_2027_{FILE}", "ada 2027", "", "", False),
        (f"Ada Lovelace/a_99_{FILE}", "Ada Lovelace", "", "", False),
        ("05_attention (1).ipynb", "05 attention (1)", "", "", False),
        (f"ada_lovelace_{FILE}", "ada lovelace", "", "", False),
        ("Ada Lovelace (late).ipynb", "Ada Lovelace", "", "", True),
        ("Ada Lovelace (2).ipynb", "Ada Lovelace (2)", "", "", False),
        ("a\nb\x1b[31m.ipynb", "a b [31m", "", "", False),
    ],
)
def test_owner_is_found_from_the_file_name(name, student, number, platform, late):
    found = owner(unicodedata.normalize("NFD", name), deep=True)
    assert (found.student, found.late) == (Student(student, number, platform), late)


def put(folder, name, text=TEXT, when=1_700_000_000):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (when, when))


def collected(path, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return {one.student.name: one for one in collect(path, scratch)}


def test_spellings_of_one_name_are_merged(tmp_path):
    put(tmp_path / "in", unicodedata.normalize("NFC", "Zoë") + f"/{FILE}", when=1_700_000_500)
    put(tmp_path / "in", unicodedata.normalize("NFD", "Zoë") + "/06_the_cat_sat.ipynb")
    (zoe,) = collected(tmp_path / "in", tmp_path).values()
    assert [n.name.rpartition("/")[2] for n in zoe.notebooks] == ["06_the_cat_sat.ipynb", FILE]


def test_students_with_the_same_name_are_kept_apart(tmp_path):
    for number in (1, 2):
        put(tmp_path / "in", f"Ada_{number}_assignsubmission_file/{FILE}")
    (tmp_path / "scratch").mkdir()
    found = collect(tmp_path / "in", tmp_path / "scratch")
    assert [one.student.id for one in found] == ["1", "2"]


def test_canvas_numbers_determine_the_order(tmp_path):
    put(tmp_path / "in", f"ada_5200_9000_{FILE}", when=1_700_000_500)
    put(tmp_path / "in", f"ada_LATE_5200_9001_{FILE}")
    (ada,) = collected(tmp_path / "in", tmp_path).values()
    names = [f"ada_5200_9000_{FILE}", f"ada_LATE_5200_9001_{FILE}"]
    assert [n.name for n in ada.notebooks] == names
    assert ada.late


def test_a_student_of_canvas_may_have_many_files(tmp_path):
    names = ("ada_5200_90001_part1", "ada_5200_90002_part2", "ben_5300_90003_x", "cem_5_90004_y")
    for name in names:
        put(tmp_path / "in", f"{name}.ipynb")
    found = collected(tmp_path / "in", tmp_path)
    assert [(one.student.id, len(one.notebooks)) for one in found.values()] == [
        ("5200", 2),
        ("5300", 1),
        ("5", 1),
    ]
    assert not any(one.notes for one in found.values())


@pytest.mark.parametrize(
    ("names", "doubtful"),
    [
        (  # Blackboard
            [
                f"Week 1_jdoe_attempt_2027-03-01-10-00-00_{FILE}",
                f"Week 1_jdoe_attempt_2027-03-02-18-30-05_{FILE}",
                f"Week 1_bob_attempt_2027-03-01-10-00-00_{FILE}",
            ],
            2,
        ),
        (  # Brightspace
            [
                f"12345-67 - Jane Doe - Mar 1, 2027 1000 AM/{FILE}",
                f"12345-67 - Jane Doe - Mar 12, 2027 630 PM/{FILE}",
                f"12346-67 - John Doe - Mar 1, 2027 1000 AM/{FILE}",
            ],
            2,
        ),
        ([f"doe_jane_20270301103000_{FILE}", f"doe_jane_20270302090000_{FILE}"], 2),
        (["ada_v1.ipynb", "ada v2.ipynb", "ada.ipynb", "vera.ipynb"], 3),
        (["anna Versuch 1.ipynb", "anna Versuch 2.ipynb", "ben.ipynb"], 2),
        (["lab_2025_11_anna.ipynb", "lab_2025_12_ben.ipynb"], 0),
        (["student 1234567.ipynb", "student 1234568.ipynb", "1234569.ipynb"], 0),
        (["team1.ipynb", "team2.ipynb", "2027-03-01.ipynb", "2027-03-02.ipynb"], 0),
        (["Ivy.ipynb", "Ivan.ipynb", "Vera V.ipynb", "Vera.ipynb"], 0),
    ],
)
def test_possible_attempt_numbers_of_other_platforms_are_noted(names, doubtful, tmp_path):
    for name in names:
        put(tmp_path / "in", name)
    (tmp_path / "scratch").mkdir()
    found = collect(tmp_path / "in", tmp_path / "scratch")
    assert len(found) == len(names)
    told = [
        one for one in found if any("a date or the number of an attempt" in n for n in one.notes)
    ]
    assert len(told) == doubtful


def test_an_nbgrader_tree_is_recognized_by_its_folder(tmp_path):
    put(tmp_path / "submitted", f"ada/week1/{FILE}")
    put(tmp_path / "submitted", "ada/week2/06_the_cat_sat.ipynb")
    (ada,) = collected(tmp_path / "submitted", tmp_path).values()
    assert ada.student.platform == "nbgrader"
    assert len(ada.notebooks) == 2


def test_a_notebook_by_itself_is_a_class_of_one(tmp_path):
    put(tmp_path, "Ada.ipynb")
    assert list(collected(tmp_path / "Ada.ipynb", tmp_path)) == ["Ada"]


def zipped(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def entry(name, mode=stat.S_IFREG | 0o644):
    found = zipfile.ZipInfo(name)
    found.external_attr = mode << 16
    return found


EVIL = {
    "../../Eva.ipynb": "leads out",
    "/etc/Eva.ipynb": "leads out",
    "C:/Eva.ipynb": "one of Windows",
    "x\\..\\Eva.ipynb": "one of Windows",
    "Eva/\x1b[2J.ipynb": "not text",
    "Eva/a\u202ebypni.ipynb": "not text",
}


@pytest.mark.parametrize("name", EVIL)
def test_path_traversal_is_refused(name, tmp_path):
    path = zipped(tmp_path / "all.zip", [(entry(name), TEXT), ("Ada/x.ipynb", TEXT)])
    found = collected(path, tmp_path)
    assert not found["Ada"].problem
    (other,) = [one for name, one in found.items() if name != "Ada"]
    assert EVIL[name] in other.problem
    assert not other.notebooks
    assert sorted(p.name for p in tmp_path.iterdir()) == ["all.zip", "scratch"]
    assert [p.suffix for p in (tmp_path / "scratch").iterdir()] == [".ipynb"]


def test_a_link_in_a_zip_is_refused(tmp_path):
    link = entry("Eva/link.ipynb", stat.S_IFLNK | 0o777)
    found = collected(zipped(tmp_path / "all.zip", [(link, "/etc/passwd")]), tmp_path)
    assert "is a link" in found["Eva"].problem


@pytest.mark.parametrize("target", ["/etc/passwd", "Ada"])
def test_a_link_in_a_folder_is_refused(target, tmp_path):
    put(tmp_path / "in", "Ada/x.ipynb")
    (tmp_path / "in/Eva.ipynb").symlink_to(target)
    found = collected(tmp_path / "in", tmp_path)
    assert "is a link" in found["Eva"].problem
    assert not found["Ada"].problem


def test_zip_bomb_with_wrong_size_is_stopped(tmp_path):
    path = zipped(tmp_path / "all.zip", [("Eva/x.ipynb", os.urandom(3 << 20))])
    whole = path.read_bytes()
    size, lie = struct.pack("<I", 3 << 20), struct.pack("<I", 1000)
    path.write_bytes(whole.replace(size, lie))
    (problem,) = [one.problem for one in collected(path, tmp_path).values()]
    assert problem.startswith("x.ipynb: ")
    assert not list((tmp_path / "scratch").iterdir())


def test_unpacking_stops_at_the_size_limit_and_keeps_earlier_files(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "LARGEST_ZIP", 3 * len(TEXT))
    entries = [(f"student {n}/x.ipynb", TEXT) for n in range(5)]
    found = collected(zipped(tmp_path / "all.zip", entries), tmp_path)
    assert [bool(one.problem) for one in found.values()] == [False] * 3 + [True] * 2
    assert "unpacks to more" in found["student 4"].problem


def test_a_zip_of_too_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_ENTRIES", 3)
    entries = [(f"student {n}/x.ipynb", TEXT) for n in range(5)]
    with pytest.raises(ValueError, match="the zip has 5 files, more than 3"):
        collected(zipped(tmp_path / "all.zip", entries), tmp_path)


def test_file_that_is_not_a_zip_is_reported(tmp_path):
    put(tmp_path, "all.zip", "not a zip")
    with pytest.raises(ValueError, match=r"all\.zip: the zip cannot be read"):
        collected(tmp_path / "all.zip", tmp_path)


def test_a_zip_of_a_student_is_opened_and_one_inside_it_is_not(tmp_path):
    inner = zipped(tmp_path / "inner.zip", [("x.ipynb", TEXT)]).read_bytes()
    own = zipped(tmp_path / "own.zip", [("deep/x.ipynb", TEXT), ("more.zip", inner)]).read_bytes()
    found = collected(zipped(tmp_path / "all.zip", [("ada_52_9_work.zip", own)]), tmp_path)
    assert [n.name for n in found["ada"].notebooks] == ["ada_52_9_work.zip/deep/x.ipynb"]
    assert found["ada"].notes == ("more.zip is a zip inside a zip, and is not opened",)
    assert {path.suffix for path in (tmp_path / "scratch").iterdir()} == {".ipynb", ".zip"}
    assert len(list((tmp_path / "scratch").glob("*.zip"))) == 1, "the outer one is taken away"


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["hw/anna.ipynb", "hw/bob.ipynb"], ["anna", "bob"]),
        (["hw/anna.zip", "hw/bob.ipynb"], ["anna", "bob"]),
        ([f"hw/anna/{FILE}", f"hw/bob/{FILE}", f"hw/{FILE}"], ["05 attention", "anna", "bob"]),
        ([f"anna/{FILE}", "anna/06_the_cat_sat.ipynb"], ["anna"]),
        ([f"anna/{FILE}", "anna/Untitled.ipynb"], ["anna"]),
        ([f"anna/{FILE}", f"anna/old/{FILE}"], ["anna"]),
        (["anna/work.ipynb", "anna/data.csv"], ["anna"]),
        (
            ["05_attention (1).ipynb", "05_attention (2).ipynb"],
            [f"05 attention ({n})" for n in "12"],
        ),
        (["anna.ipynb", "anna (1).ipynb"], ["anna", "anna (1)"]),
        (
            ["hw/anna.ipynb", "hw/bob.ipynb", "hw/cem.ipynb", f"hw/{FILE}"],
            ["05 attention", "anna", "bob", "cem"],
        ),
        (["Ada/part1.ipynb", "Ada/part2.ipynb", "Bea/x.pdf"], ["Ada", "Bea"]),
        (["Ada/hw/x.ipynb", "Bea/x.pdf"], ["Ada", "Bea"]),
        (["anna.ipynb", "bob.ipynb", "img/plot.png"], ["anna", "bob"]),
        (["submitted/ada/week/x.ipynb", "submitted/roster.csv", "gradebook/a.db"], ["ada"]),
        (["Ada_12_assignsubmission_file/a.ipynb", "Ada_12_assignsubmission_file/b.ipynb"], ["Ada"]),
        (["Ada_12_assignsubmission_file/x/a.ipynb"], ["Ada"]),
        (["hw/anna.ipynb", "hw/Eva_12_file_.ipynb", "hw/bob.ipynb"], ["anna", "bob", "Eva"]),
    ],
)
def test_student_folders_are_distinguished_from_common_folders(names, students, tmp_path):
    own = zipped(tmp_path / "own.zip", [("x.ipynb", TEXT)]).read_bytes()
    entries = [(name, own if name.endswith(".zip") else TEXT) for name in names]
    assert list(collected(zipped(tmp_path / "all.zip", entries), tmp_path)) == students


def test_submission_without_a_notebook_is_reported(tmp_path):
    entries = [
        ("Ada_1_assignsubmission_file/work.pdf", "x"),
        ("Bea_2_assignsubmission_file/x.ipynb", TEXT),
        ("Bea_2_assignsubmission_file/x.pdf", "x"),
        ("Cem_3_assignsubmission_onlinetext/onlinetext.html", "x"),
        ("sheet.csv", "x"),
    ]
    found = collected(zipped(tmp_path / "all.zip", entries), tmp_path)
    problems = {
        "Ada": "work.pdf is not a notebook",
        "Bea": "",
        "Cem": "onlinetext.html is not a notebook",
    }
    assert {name: one.problem for name, one in found.items()} == problems
    assert found["Bea"].notes == ()
    put(tmp_path / "in", "Ada/work.py")
    put(tmp_path / "in", f"Bea/{FILE}")
    told = {one.student.name: one.problem for one in collect(tmp_path / "in", tmp_path / "scratch")}
    assert told == {"Ada": "work.py is not a notebook", "Bea": ""}


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_empty_folder_has_no_submissions(name, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="submissions must"):
        collected(tmp_path / name, tmp_path)


def test_a_notebook_of_500_megabytes_is_not_read(tmp_path):
    path = tmp_path / "x.ipynb"
    with path.open("wb") as file:
        file.truncate(500 << 20)
    with pytest.raises(ValueError, match="has 500 MiB, and a notebook may have 20"):
        code_of(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not valid JSON"),
        ("", "is empty: save it again"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "has no cells"),
        ('{"nbformat": 4}', "has no cells"),
        ('{"nbformat": 3, "cells": []}', "not of version 4"),
        ('{"nbformat": 3, "worksheets": [{"cells": []}]}', "of version 3, .* Jupyter and save it"),
        ('{"nbformat": 2, "worksheets": []}', "of version 2, not of version 4: open it in Jupyter"),
        ('{"nbformat": 5, "cells": []}', "of version 5, not of version 4: save it in a stable Jup"),
        ('{"cells": []}', "has no cells"),
        ('{"nbformat": "x", "worksheets": []}', "has no cells"),
        ("PK\x03\x04...", "is a zip or an office file: hand in the .ipynb file"),
        ("\ufeff<!DOCTYPE html><title>Log in</title>", "is a web page, maybe one that asks to log"),
        ("%PDF-1.7", "is a PDF"),
        ('# -*- coding: utf-8 -*-\n"""05_attention.ipynb', "is a Python script: in Colab choose"),
        ("import torch\n", "is a Python script"),
        ("version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS"),
        (f"{TEXT[:40]}\n<<<<<<< HEAD\n{TEXT}", "has conflict marks of Git"),
        (TEXT[:-9], "is not valid JSON: it may be cut off"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}', "is not text"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": [{}]}]}', "is not text"),
    ],
    ids=range(21),
)
def test_invalid_notebook_is_reported_in_a_sentence(text, words, tmp_path):
    put(tmp_path, "x.ipynb", text)
    with pytest.raises(ValueError, match=words):
        code_of(tmp_path / "x.ipynb")


def test_an_encrypted_entry_is_refused(tmp_path):
    path = zipped(tmp_path / "all.zip", [("Eva/x.ipynb", TEXT)])
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the flag in the list of contents
    path.write_bytes(content)
    assert "is encrypted" in collected(path, tmp_path)["Eva"].problem
