"""`make check` finds the tests of a change by their place, and says what it leaves out."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / ".ci"))
import check  # noqa: E402

MODULE = "transformer_lite/layers/masks.py"
RULES = {"tests/figures/test_figures.py", "tests/figures/test_figure_state.py"}


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        (MODULE, {"tests/layers/test_masks.py", MODULE}),
        ("transformer_lite/layers/norms/rms.py", {"tests/layers/test_norms_rms.py"}),
        ("transformer_lite/_checks.py", {"tests/test_checks.py"}),
        ("transformer_lite/figures/mask_lab/mask_lab.py", RULES),
        ("transformer_lite/exercises/masks/__init__.py", {"tests/exercises/test_exercises.py"}),
        ("tests/layers/test_masks.py", {"tests/layers/test_masks.py"}),
        ("tests/support/pairwise.py", {"tests/test_pairwise.py"}),
        ("book/_ext/worked_examples_table.py", {"tests/book_extensions/test_chapter_pages.py"}),
        ("notebooks/08_masks.ipynb", {"tests/notebooks/test_notebook_lint.py"}),
        ("requirements.txt", {"tests/test_project.py"}),
        (".ci/check.py", {"tests/test_check.py"}),
        ("press/pdf.py", {"tests/press/test_printed_book.py"}),
    ],
)
def test_the_tests_of_a_file_are_found(name, tests):
    found = check.plan([name])
    assert tests <= found.tests
    assert found.untested == []
    assert found.notebooks == ({name} if name.endswith(".ipynb") else set())


def test_a_module_takes_its_own_tests_and_no_others():
    assert check.plan([MODULE]).tests == {MODULE, "tests/layers/test_masks.py"}


def test_a_module_without_tests_of_its_name_takes_those_of_its_floor():
    found = check.plan(["transformer_lite/layers/no_such_part.py"]).tests
    assert {"tests/layers/test_masks.py", "tests/layers/test_loss.py"} <= found


def test_a_figures_script_is_tested_under_node():
    found = check.plan(["transformer_lite/figures/mask_lab/mask_lab.js"])
    assert found.node == {"tests/figures/mask_lab/mask_lab.test.mjs"}
    kit = check.plan(["transformer_lite/figures/kit/math.js"])
    assert found.node < kit.node


def test_a_drills_script_is_tested_under_node_and_against_the_package():
    found = check.plan(["transformer_lite/drills/scores/scores.js"])
    assert "tests/drills/drills.test.mjs" in found.node
    assert found.tests == {"tests/drills/test_answers.py", "tests/drills/test_drills.py"}


@pytest.mark.parametrize("name", ["book/_static/book.css", "tests/book/test_shell.py"])
def test_what_only_the_browser_sees_is_named(name):
    assert check.plan([name]).untested == [name]


def test_changed_deleted_and_new_files_are_found(tmp_path, monkeypatch):
    def git(*arguments):
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *author, *arguments], cwd=tmp_path, check=True, capture_output=True)

    for name in ("kept", "changed", "deleted"):
        (tmp_path / name).write_text("before")
    git("init")
    git("add", ".")
    git("commit", "-m", "before")
    (tmp_path / "changed").write_text("after")
    (tmp_path / "deleted").unlink()
    (tmp_path / "new file").write_text("after")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    assert check.changed_files("HEAD") == ["changed", "deleted", "new file"]
    git("add", ".")
    git("commit", "-m", "after")
    assert check.changed_files("HEAD") == []
    assert check.changed_files("HEAD~1") == ["changed", "deleted", "new file"]


@pytest.fixture
def quick(monkeypatch):
    """A run of `make check` in which no command is really run: what ran, and what it printed."""
    ran = []
    monkeypatch.setattr(check, "run", lambda title, *command, **_: ran.append(title) or True)
    return ran


def test_nothing_changed_is_said(monkeypatch, capsys, quick):
    monkeypatch.setattr(check, "changed_files", lambda base: [])
    assert check.main("HEAD") == 0
    assert "Nothing differs from HEAD" in capsys.readouterr().out
    assert quick == []


def test_it_prints_what_it_left_out_and_fails_if_anything_does(monkeypatch, capsys, quick):
    names = [MODULE, "book/_static/book.css"]
    monkeypatch.setattr(check, "changed_files", lambda base: names)
    assert check.main("HEAD") == 0
    said = capsys.readouterr().out
    assert "tests/layers/test_masks.py" in said
    assert "Without a test here: book/_static/book.css" in said
    assert {"style of Python", "style of JavaScript", "spelling", "tests"} <= set(quick)
    monkeypatch.setattr(check, "run", lambda title, *command, **_: title != "spelling")
    assert check.main("HEAD") == 1
