"""The steps of `make test`: a failure anywhere fails it, and the summary says where."""

import runpy
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[1]


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """The steps of the day, with a folder of their own to write to."""
    monkeypatch.delenv("NIGHTLY", raising=False)
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
        (steps["OUT"] / "writes.xml").write_text(report)
        return False

    assert steps["main"]([(writes,)]) == 1
    assert "1 passed, 2 failed" in capfd.readouterr().out.splitlines()[-1]


def test_every_test_for_node_is_run(steps):
    commands = []
    steps["run"] = lambda *command, **_: commands.append(command) or True
    assert steps["figures"]()
    patterns = [word for word in commands[-1] if str(word).endswith(".test.mjs")]
    found = [path for pattern in patterns for path in ROOT.glob(pattern)]
    assert sorted(found) == sorted((ROOT / "tests").rglob("*.test.mjs"))


def names(stages) -> list[list[str]]:
    return [[step.__name__ for step in stage] for stage in stages]


def test_steps_can_be_named_and_what_the_others_made_stays(steps):
    stages = steps["STAGES"]
    assert names(steps["chosen"]([], stages)) == names(stages)
    assert names(steps["chosen"](["browser", "book"], stages)) == [["book"], ["browser"]]
    with pytest.raises(ValueError, match=r"among python, .*, browser, got nowhere"):
        steps["chosen"](["nowhere"], stages)
    steps["OUT"].mkdir()
    (steps["OUT"] / "python.xml").write_text("kept")
    assert steps["main"]([(good,)], everything=False) == 0
    assert (steps["OUT"] / "python.xml").read_text() == "kept"
    assert steps["main"]([(good,)]) == 0
    assert not (steps["OUT"] / "python.xml").exists()


def test_without_a_browser_its_steps_are_left_out_but_in_ci(steps, monkeypatch):
    steps["has_chromium"] = lambda: False
    monkeypatch.delenv("CI", raising=False)
    assert names(steps["without_browser"](steps["STAGES"])) == [["python"], ["book", "figures"]]
    monkeypatch.setenv("CI", "true")
    assert steps["without_browser"](steps["STAGES"]) == steps["STAGES"]


def test_tests_of_one_group_run_in_one_process(pytester, steps):
    """With some versions of pytest and pytest-xdist the groups are lost, and nothing says so."""
    pytester.makepyfile(
        """
        import os, pathlib, pytest

        @pytest.mark.xdist_group("together")
        @pytest.mark.parametrize("place", range(12))
        def test_one(place):
            pathlib.Path(f"{place}.txt").write_text(str(os.getpid()))
        """
    )
    said = pytester.runpytest_subprocess(*steps["WORKERS"], "-p", "no:cacheprovider")
    said.assert_outcomes(passed=12)
    assert len({path.read_text() for path in pytester.path.glob("*.txt")}) == 1
