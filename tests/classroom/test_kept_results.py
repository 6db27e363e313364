"""Incomplete results are graded again, and only the owner can read grades."""

import json
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
def test_truncated_result_is_computed_again(left, runs, tmp_path):
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


def test_changing_points_reruns_nothing(runs, tmp_path, monkeypatch):
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


def test_machine_failures_are_reported_and_retried(runs, tmp_path, monkeypatch, capsys):
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
    assert "1 submissions could not be run, so their zeros are not grades." in told.err
    assert "bwrap: no /home" in told.err
    assert "0 submissions graded" in told.out
    assert ada.problem == FAILED
    assert ada.problem in (tmp_path / "out/teacher.html").read_text()
    assert not any("bwrap" in path.read_text() for path in (tmp_path / "out").rglob("*.*"))
    assert {mark.status for mark in ada.marks.values()} == {"stopped"}
    assert all(why in mark.message for mark in ada.marks.values())
    kept = tmp_path / "out/results"
    assert [path.name for path in kept.iterdir()] == ["pages.json"]
    grading.grade(tmp_path / "in", tmp_path / "out", plan_for(CHAPTER), 1)
    assert len(runs) == len({*kept.iterdir()} - {kept / "pages.json"}) == 1


def test_result_key_covers_all_inputs(tmp_path):
    grader = grading.Grader(plan_for(CHAPTER), tmp_path, tmp_path, ())
    (chapter,) = released_chapters(plan_for(CHAPTER))
    others = (
        replace(chapter, prelude=(*chapter.prelude, "x = 1")),
        replace(chapter, exercises=chapter.exercises[1:]),
        replace(chapter, name="other"),
    )
    keys = {grader.key(one, ["def attend(): 0"]) for one in (chapter, *others)}
    assert len(keys | {grader.key(chapter, ["def attend(): 1"])}) == 5


def test_grades_are_readable_by_the_owner_only(runs, tmp_path):
    hand_in(tmp_path / "in", "Ada.ipynb", notebook(CHAPTER, {}))
    grading.grade(tmp_path / "in", tmp_path / "new/out", plan_for(CHAPTER), 1)
    assert stat.S_IMODE((tmp_path / "new/out").stat().st_mode) == 0o700
