"""The steps of `make test`: a failure anywhere fails it, and the summary says where."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def steps(tmp_path):
    """The steps, with a folder of their own to write to."""
    found = runpy.run_path(str(ROOT / ".ci/steps.py"), run_name="steps")
    names = found["main"].__globals__
    names["OUT"] = tmp_path / "out"
    return names


def good() -> bool:
    return True


def bad() -> bool:
    return False


@pytest.mark.parametrize(
    ("stages", "code", "words"),
    [
        ([(good,)], 0, "0 passed, 0 failed"),
        ([(bad,), (good,)], 1, "0 passed, 1 failed"),
        ([(good, bad)], 1, "0 passed, 1 failed"),
    ],
)
def test_one_bad_step_fails_the_run_and_the_others_still_run(steps, capfd, stages, code, words):
    assert steps["main"](stages) == code
    said = capfd.readouterr().out
    assert words in said.splitlines()[-1]
    assert words in (steps["OUT"] / "closing.txt").read_text("utf-8")
    for step in {step for stage in stages for step in stage}:
        verdict = "passed" if step is good else "FAILED"
        assert f"  {step.__name__:<16} {verdict}" in said


def test_what_a_step_beside_another_says_is_shown_in_one_piece(steps, capfd):
    def aside() -> bool:
        return steps["run"](sys.executable, "-c", "print('from aside')")

    def first() -> bool:
        return steps["run"](sys.executable, "-c", "print('from first')")

    assert steps["main"]([(first, aside)]) == 0
    said = capfd.readouterr().out
    assert "== aside\nfrom aside\n" in said
    assert "from first" in said


def test_failures_are_counted_in_all_reports(steps, capfd):
    def writes() -> bool:
        cases = "<testcase/><testcase><failure/></testcase><testcase><error/></testcase>"
        report = f"<testsuite>{cases}<testcase><skipped/></testcase></testsuite>"
        (steps["OUT"] / "one.xml").write_text(report)
        return False

    assert steps["main"]([(writes,)]) == 1
    assert "1 passed, 2 failed" in capfd.readouterr().out.splitlines()[-1]
