"""What a crash has left of a result is graded again, and only its owner reads the grades."""

import json
import os
import stat
from dataclasses import replace

import pytest
from class_work import hand_in, notebook, plan_for, solutions

from classroom import grading
from classroom.__main__ import main
from classroom.answers import Answers
from classroom.marking import Marker
from classroom.marks import FAILED, Mark
from classroom.released import released_chapters
from classroom.sandbox import NoSandboxError

CHAPTER = "05_attention"


@pytest.fixture
def runs(monkeypatch):
    """Counts the submissions that would have to run; nothing runs here."""
    counted = []

    def run(_, job):
        counted.append(job.key)
        return Answers(stopped=dict.fromkeys(job.chapter.exercises, "nothing ran"))

    monkeypatch.setattr(grading.Grader, "_run", run)
    monkeypatch.setattr(grading.Grader, "_sandbox", None)
    return counted


@pytest.mark.parametrize("left", ["", "{}", "[1]", '{"attention.attend": {"points": 1', "null"])
def test_a_result_that_was_cut_off_is_made_again(left, runs, tmp_path):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, solutions(CHAPTER)))
    plan = plan_for(CHAPTER)
    first = grading.grade(tmp_path / "in", tmp_path / "out", plan, 1)
    (kept,) = (tmp_path / "out/results").iterdir()
    assert grading.grade(tmp_path / "in", tmp_path / "out", plan, 1) == first
    assert len(runs) == 1
    kept.write_text(left)
    assert grading.grade(tmp_path / "in", tmp_path / "out", plan, 1) == first
    assert len(runs) == 2
    assert set(json.loads(kept.read_text())) == set(plan.exercises)


def test_other_points_run_nothing_again(runs, tmp_path, monkeypatch):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, solutions(CHAPTER)))
    plan = plan_for(CHAPTER)
    right, wrong, *_ = plan.exercises
    kept = {right: Mark(1.0, 1.0, "right"), wrong: Mark(0.0, 1.0, "wrong")}
    lacking = {name: Mark(0.0, 1.0, "idle") for name in plan.exercises}
    monkeypatch.setattr(Marker, "marks", lambda *_: lacking | kept)
    grading.grade(tmp_path / "in", tmp_path / "out", plan, 1)
    points = dict.fromkeys(plan.exercises, 2.5)
    dear = replace(plan, points=points, title="Again", date="2027-03-31")
    (ada,) = grading.grade(tmp_path / "in", tmp_path / "out", dear, 1)
    assert len(runs) == 1
    assert [(mark.points, mark.of) for mark in ada.marks.values()][:2] == [(2.5, 2.5), (0, 2.5)]


def test_what_the_machine_failed_at_is_told_and_tried_again(runs, tmp_path, monkeypatch, capsys):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, solutions(CHAPTER)))
    why = "the machine could not run it"

    def failed(_, job):
        return Answers(stopped=dict.fromkeys(job.chapter.exercises, why), failed="bwrap: no /home")

    with monkeypatch.context() as broken:
        broken.setattr(grading.Grader, "_run", failed)
        (ada,) = grading.grade(tmp_path / "in", tmp_path / "out", plan_for(CHAPTER), 1)
        plan_for(CHAPTER).save(tmp_path / "class.json")
        command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
        assert main([*command, "--class", str(tmp_path / "class.json")]) == 1
    told = capsys.readouterr()
    assert "1 submissions could not be run, and their zeros are no grades." in told.err
    assert "bwrap: no /home" in told.err
    assert "0 submissions graded" in told.out
    assert ada.problem == FAILED
    assert ada.problem in (tmp_path / "out/teacher.html").read_text()
    assert not any("bwrap" in path.read_text() for path in (tmp_path / "out").rglob("*.*"))
    assert {mark.status for mark in ada.marks.values()} == {"stopped"}
    assert all(why in mark.message for mark in ada.marks.values())
    assert not list((tmp_path / "out/results").iterdir())
    grading.grade(tmp_path / "in", tmp_path / "out", plan_for(CHAPTER), 1)
    assert len(runs) == len(list((tmp_path / "out/results").iterdir())) == 1


def test_a_later_notebook_that_answers_nothing_takes_no_answer_away(runs, tmp_path):
    hand_in(tmp_path / "in", "Ada/05_attention.ipynb", notebook(CHAPTER, solutions(CHAPTER)))
    hand_in(tmp_path / "in", "Bea/05_attention.ipynb", notebook(CHAPTER, {}))
    for name, source in (("Untitled", ""), ("notes", "exercises.attention.attend.check(attend)")):
        cells = [{"cell_type": "code", "source": source}]
        later = hand_in(tmp_path / "in", f"Ada/{name}.ipynb", {"nbformat": 4, "cells": cells})
        os.utime(later, (4e9, 4e9))
    ada, _ = grading.grade(tmp_path / "in", tmp_path / "out", plan_for(CHAPTER), 1)
    assert ada.notes == tuple(
        f"Ada/{name}.ipynb was not graded: it answers nothing" for name in ("Untitled", "notes")
    )
    assert all(mark.answer for mark in ada.marks.values())


@pytest.mark.parametrize(
    "cell",
    [
        "if True:\n    def attend(x):\n        return x",
        "from mine import attend",
        "attend, other = make()",
        "attend = 1\nexercises.attention.attend.check(attend)",
    ],
)
def test_whatever_has_to_do_with_the_function_may_be_an_answer(cell):
    (chapter,) = released_chapters(plan_for(CHAPTER))
    assert chapter.answered_by([cell])
    assert not chapter.answered_by(["check = exercises.attention.attend.check(attend)", "x = 1"])


def test_who_hands_in_a_broken_notebook_beside_a_good_one_reads_why(runs, tmp_path):
    hand_in(tmp_path / "in", "Ada/05_attention.ipynb", notebook(CHAPTER, {}))
    (tmp_path / "in/Ada/27_at_scale.ipynb").write_text("{")
    names = (*plan_for(CHAPTER).exercises, *plan_for("27_at_scale").exercises)
    plan = replace(plan_for(CHAPTER), exercises=names, points=dict.fromkeys(names, 1.0))
    (ada,) = grading.grade(tmp_path / "in", tmp_path / "out", plan, 1)
    told = ada.marks["at_scale.roofline"].message
    assert told.startswith("No notebook of this chapter was handed in. What could not be graded")
    assert "27_at_scale.ipynb: the notebook is no JSON" in told


def test_a_result_is_named_by_all_that_it_depends_on(tmp_path):
    grader = grading.Grader(plan_for(CHAPTER), tmp_path, tmp_path, ())
    (chapter,) = released_chapters(plan_for(CHAPTER))
    others = (
        replace(chapter, prelude=(*chapter.prelude, "x = 1")),
        replace(chapter, exercises=chapter.exercises[1:]),
        replace(chapter, name="other"),
    )
    keys = {grader.key(one, ["def attend(): 0"]) for one in (chapter, *others)}
    assert len(keys | {grader.key(chapter, ["def attend(): 1"])}) == 5


def test_grades_are_for_one_pair_of_eyes(runs, tmp_path):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, {}))
    grading.grade(tmp_path / "in", tmp_path / "new/out", plan_for(CHAPTER), 1)
    assert stat.S_IMODE((tmp_path / "new/out").stat().st_mode) == 0o700


def test_nothing_runs_where_no_tool_of_a_sandbox_is_found(monkeypatch, tmp_path):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, {}, ("x = 1",)))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoSandboxError, match="Nothing was run"):
        grading.grade(tmp_path / "in", tmp_path / "out", plan_for(CHAPTER), 1)
    assert not list((tmp_path / "out/results").iterdir())
