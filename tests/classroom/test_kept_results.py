"""What a crash has left of a result is graded again, and only its owner reads the grades."""

import json
import stat

import pytest
from class_work import hand_in, notebook, plan_for, solutions

from transformer_lite.classroom import grading
from transformer_lite.classroom._answers import Answers
from transformer_lite.classroom.sandbox import NoSandboxError

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
