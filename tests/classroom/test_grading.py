"""A class is graded from beginning to end: in the sandbox, once, and the same again."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from class_work import SECRET, hand_in, notebook, plan_for, solutions

import transformer_lite
from classroom import grading
from classroom.__main__ import main
from classroom.marks import Graded, Mark, Student
from classroom.nbgrader_cells import with_nbgrader
from classroom.plan import ClassPlan
from classroom.sandbox import NoSandboxError

ATTENTION, LAST = "05_attention", "27_at_scale"
NAMES = (*plan_for(ATTENTION).exercises, *plan_for(LAST).exercises)
PLAN = ClassPlan("Two chapters", "", NAMES, SECRET, dict.fromkeys(NAMES, 2.0))
HELPED = {
    "attention.soft_lookup": "def soft_lookup(q, k, v):\n    return mix(k @ q, v)\n",
    "attention.attend": "def attend(*_):\n    return 1\n",
}


@pytest.fixture(scope="module")
def place():
    """Submissions of all kinds."""
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        place = Path(folder)
        PLAN.save(place / "class.json")
        for chapter in (ATTENTION, LAST):
            hand_in(place / "in", f"Zoë/{chapter}.ipynb", notebook(chapter, solutions(chapter)))
        line = "return scores.softmax(0) @ values  # is this right?"
        cell = f"%matplotlib inline\ndef mix(scores, values):\n    {line}"
        made = notebook(ATTENTION, HELPED, (cell,))
        for one in made["cells"]:  # as Colab and VS Code may leave them
            one.pop("id", None)
            one["metadata"] = {}
            one["source"] = one["source"].splitlines(keepends=True)
        early = hand_in(place / "in", "Ada/a.ipynb", notebook(ATTENTION, {}))
        os.utime(early, (1, 1))
        hand_in(place / "in", "Ada/b.ipynb", made)
        split = with_nbgrader(notebook(ATTENTION, {}), PLAN.points)
        hand_in(place / "in", "Bea.ipynb", split)
        (place / "in/Cem.ipynb").write_text("{")
        moved = notebook(ATTENTION, solutions(ATTENTION))
        for cell, kind in zip(_answers(moved), ("markdown", "raw"), strict=False):
            cell["cell_type"] = kind
        hand_in(place / "in", "Fay.ipynb", moved)
        compiled = {NAMES[0]: "@torch.compile\n" + solutions(ATTENTION)[NAMES[0]]}
        jupyters = (
            "from google.colab import drive\nimport math\ndrive.mount('/content')",
            "import asyncio\nawait asyncio.sleep(0.01)\nmath.pi\nawait asyncio.to_thread(int)",
            "here = True\ntorch.set_default_device('cuda')",
        )
        hand_in(place / "in", "Gil.ipynb", notebook(ATTENTION, compiled, jupyters))
        with (place / "in/Dan.ipynb").open("wb") as file:
            file.truncate(500 << 20)
        hand_in(place / "in", "Eva.ipynb", {"nbformat": 4, "cells": []})
        yield place


@pytest.fixture(scope="module")
def graded(place):
    """What they got."""
    return {one.student.name: one for one in grading.grade(place / "in", place / "out", PLAN)}


@pytest.mark.sandbox
def test_latest_notebook_counts_and_helpers_are_found(graded):
    ada = graded["Ada"]
    assert ada.marks["attention.soft_lookup"].status == "right"
    assert ada.marks["attention.contextual"].status == "idle"
    assert ada.marks["attention.attend"].status == "wrong"
    assert ada.marks["at_scale.roofline"].status == "missing"
    assert ada.marks["at_scale.roofline"].message == "No notebook of this chapter was handed in."
    assert ada.notes == ("Ada/a.ipynb was not graded: Ada/b.ipynb is later",)


def _answers(made):
    return [c for c in made["cells"] if "exercise" in c["metadata"].get("transformer_lite", {})]


@pytest.mark.sandbox
def test_notebooks_that_run_in_jupyter_and_colab_are_graded(graded):
    assert graded["Gil"].marks[NAMES[0]].status == "right"
    assert "The cell that begins" not in graded["Gil"].marks[NAMES[0]].message


@pytest.mark.sandbox
def test_answers_in_text_cells_are_run_and_noted(graded):
    fay = graded["Fay"]
    marks = [fay.marks[name] for name in plan_for(ATTENTION).exercises]
    assert {mark.status for mark in marks} == {"right"}
    told = ["Markdown or raw text, and it was run as code" in mark.message for mark in marks]
    assert told == [True, True, *[False] * (len(marks) - 2)]
    assert len([note for note in fay.notes if note.endswith("was run as code")]) == 2


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Cem", "Cem.ipynb: the notebook is not valid JSON"),
        ("Dan", "Dan.ipynb: the notebook has 500 MiB"),
        ("Eva", "Eva.ipynb: it is none of the chapters of this class"),
    ],
)
def test_ungradable_submissions_have_a_reason(name, words, graded):
    assert graded[name].points == 0
    assert graded[name].problem.startswith(words)
    assert {mark.message for mark in graded[name].marks.values()} == {graded[name].problem}


@pytest.mark.sandbox
def test_stored_results_are_reused(graded, place, monkeypatch):
    kept = {p.name: p.read_bytes() for p in (place / "out/results").iterdir()}
    monkeypatch.setattr(grading, "find_sandbox", None)  # nothing has to run
    again = grading.grade(place / "in", place / "out", PLAN, workers=1)
    assert {one.student.name: one for one in again} == graded
    assert {p.name: p.read_bytes() for p in (place / "out/results").iterdir()} == kept


@pytest.mark.sandbox
def test_new_secret_grades_again(graded, place, monkeypatch):
    def refused(places):
        raise NoSandboxError("none")

    monkeypatch.setattr(grading, "find_sandbox", refused)
    other = ClassPlan("Two chapters", "", NAMES, "6" * 64, PLAN.points)
    with pytest.raises(NoSandboxError):
        grading.grade(place / "in", place / "out", other)


@pytest.mark.sandbox
def test_the_command_grades_and_writes_its_reports(graded, place, capsys):
    arguments = ["grade", str(place / "in"), "--out", str(place / "out")]
    assert main([*arguments, "--class", str(place / "class.json"), "--workers", "1"]) == 0
    assert "8 submissions graded: begin with" in capsys.readouterr().out
    first = {p.name: p.read_bytes() for p in (place / "out").glob("*.*")}
    assert {"grades.csv", "teacher.html"} <= set(first)
    assert main([*arguments, "--class", str(place / "class.json")]) == 0
    assert {p.name: p.read_bytes() for p in (place / "out").glob("*.*")} == first


@pytest.mark.sandbox
@pytest.mark.nightly
def test_interrupt_keeps_finished_results(place, tmp_path):
    """One submission is graded, the other never ends; Ctrl-C; then the first is there."""
    endless = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: 0"
    (tmp_path / "in").mkdir()
    shutil.copyfile(place / "in/Bea.ipynb", tmp_path / "in/Bea.ipynb")
    hand_in(tmp_path / "in", "Eve.ipynb", notebook(ATTENTION, {"attention.attend": endless}))
    command = [sys.executable, "-m", "classroom", "grade", str(tmp_path / "in")]
    options = ["--out", str(tmp_path / "out"), "--class", str(place / "class.json")]
    root = Path(transformer_lite.__file__).parents[1]
    process = subprocess.Popen(
        [*command, *options, "--workers", "2"],
        env=os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'book'}"},
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's & ignores it
    )
    results = tmp_path / "out/results"
    while process.poll() is None and not list(results.glob("*.json")):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.startswith(b"Stopped. What is graded is kept")
    assert len(list(results.glob("*.json"))) == 1
    assert not list(results.glob("*.part"))


def test_command_reports_a_missing_sandbox(place, tmp_path, monkeypatch, capsys):
    def refused(places):
        raise NoSandboxError("Nothing was run: no sandbox holds here.")

    monkeypatch.setattr(grading, "find_sandbox", refused)
    arguments = ["grade", str(place / "in"), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--class", str(place / "class.json")]) == 2
    assert "Nothing was run: no sandbox holds here." in capsys.readouterr().err
    assert not list((tmp_path / "out/results").iterdir())


def test_unusable_sheet_is_refused_before_grading(place, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(grading, "grade", None)
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("ID,Bewertung,Feedback\nTeilnehmer/in1,,\n", encoding="utf-8")
    arguments = ["grade", str(place / "in"), "--out", str(tmp_path / "out")]
    arguments += ["--class", str(place / "class.json"), "--moodle", str(sheet)]
    assert main(arguments) == 2
    assert "worksheet must have a column 'Grade', got 'ID, Bewertung" in capsys.readouterr().err
    monkeypatch.setattr(grading, "grade", lambda *_: [])
    assert main([*arguments, "--moodle-columns", "Bewertung", "Feedback"]) == 0
    assert (tmp_path / "out/moodle.csv").read_text() == sheet.read_text()
    for student, status in ((Student("Ada", "1", "moodle"), 0), (Student("Ada"), 1)):
        one = Graded(student, {name: Mark(1, 2, "wrong") for name in PLAN.exercises})
        monkeypatch.setattr(grading, "grade", lambda *_, one=one: [one])
        assert main([*arguments, "--moodle-columns", "Bewertung", "Feedback"]) == status
    assert "got no grade. Its numbers, such as 1, belong to nobody" in capsys.readouterr().err


def test_the_sandbox_hides_the_book_the_grades_and_the_work(place, tmp_path, monkeypatch):
    seen = []

    def found(places):
        seen.append(places)
        raise NoSandboxError("enough")

    monkeypatch.setattr(grading, "find_sandbox", found)
    with pytest.raises(NoSandboxError):
        grading.grade(place / "in", tmp_path / "out", PLAN)
    assert not any("class.json" in path.name for path in seen[0].private)
    arguments = ["grade", str(place / "in"), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--class", str(place / "class.json")]) == 2
    assert (place / "class.json").resolve() in seen[1].private
    private = set(seen[0].private)
    root = Path(transformer_lite.__file__).parent
    assert {
        root,
        root.parent,
        root.parent / "book/lessons",
        (place / "in").resolve(),
        (tmp_path / "out").resolve(),
    } <= private
