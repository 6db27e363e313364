"""`make check` finds the tests of a change by their place, and says what it leaves out."""

import subprocess
from pathlib import Path

import check
import pytest
from changes import changed_files
from reach import Reach

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[1]

MODULE = "transformer_lite/layers/masks.py"
RULES = {f"tests/figures/test_{name}.py" for name in ("figures", "figure_state", "tours")}


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        (MODULE, {"tests/layers/test_masks.py", MODULE}),
        ("transformer_lite/layers/norms/rms.py", {"tests/layers/test_norms_rms.py"}),
        ("transformer_lite/_checks.py", {"tests/test_checks.py"}),
        ("transformer_lite/figures/mask_lab/mask_lab.py", RULES),
        ("transformer_lite/figures/mask_lab/mask_lab.json", RULES),
        ("transformer_lite/classroom/hidden/masks.py", {"tests/classroom/test_hidden_cases.py"}),
        (
            "transformer_lite/experiments/looking_inside/silent_heads.json",
            {"tests/experiments/test_records.py"},
        ),
        ("transformer_lite/exercises/masks/__init__.py", {"tests/exercises/test_loading.py"}),
        ("tests/layers/test_masks.py", {"tests/layers/test_masks.py"}),
        ("tests/support/pairwise.py", {"tests/test_pairwise.py"}),
        (
            "book/_ext/worked_examples_table.py",
            {"tests/book_extensions/test_worked_examples_table.py"},
        ),
        ("notebooks/08_masks.ipynb", {"tests/notebooks/test_notation.py"}),
        ("requirements.txt", {"tests/test_project.py"}),
        (".ci/check.py", {"tests/test_check.py"}),
        ("press/pdf.py", {"tests/press/test_printed_book.py"}),
        ("transformer_lite/layers/feed_forward.py", {"tests/models/test_config.py"}),
        ("transformer_lite/layers/feed_forward.py", {"tests/test_checks.py"}),
        ("book/formulas.yml", {"tests/book_extensions/test_named_things.py"}),
        ("book/teaching/attention.md", {"tests/book_extensions/test_teaching_text.py"}),
        ("book/_static/book.css", {"tests/press/test_epub.py"}),
    ],
)
def test_the_tests_of_a_file_are_found(name, tests):
    found = check.plan([name])
    assert tests <= {*found.tests}
    assert found.untested == []
    assert found.notebooks == ({name} if name.endswith(".ipynb") else set())


def test_a_module_takes_its_own_tests_first_and_then_what_its_errors_say():
    *own, said = check.plan([MODULE]).tests[:3]
    assert (set(own), said) == ({MODULE, "tests/layers/test_masks.py"}, "tests/test_checks.py")


def test_files_that_share_fixtures_stand_together():
    first, other, second = "tests/press/test_b.py", "tests/test_readme.py", "tests/press/test_a.py"
    far = "tests/text/test_c.py"
    assert check.together([far, first, other, second]) == [far, first, second, other]
    assert check.together([far, other, "tests/text/test_b.py"]) == [
        far,
        other,
        "tests/text/test_b.py",
    ]


def test_an_exercise_is_picked_by_its_name():
    found = check.plan(["transformer_lite/exercises/masks/batch_mask.py"])
    assert (found.exercises, found.tests) == ({"batch_mask"}, [])


def small_project(folder: Path, **files: str) -> Reach:
    """A project of files, named with two underscores for each slash."""
    (folder / "transformer_lite/floor").mkdir(parents=True)
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "transformer_lite/__init__.py").write_text(
        "from transformer_lite.floor import part, other\n"
    )
    (folder / "transformer_lite/floor/__init__.py").write_text(
        "from transformer_lite.floor.a import part\nfrom transformer_lite.floor.b import other\n"
    )
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return Reach(folder)


def test_a_test_is_reached_by_what_it_uses_through_packages_and_helpers_the_nearest_first(tmp_path):
    reach = small_project(
        tmp_path,
        transformer_lite__floor__a="def part(): ...",
        transformer_lite__floor__b="from transformer_lite.floor.a import part",
        tests__test_far="import helper",
        tests__test_near="import transformer_lite as tl\ntl.part()",
        tests__test_other="import transformer_lite as tl\ntl.other()",
        tests__test_neither="import os",
        tests__support__helper="from transformer_lite import other",
    )
    a, b = "transformer_lite/floor/a.py", "transformer_lite/floor/b.py"
    assert reach.tests([a], 9) == [f"tests/test_{name}.py" for name in ("near", "other", "far")]
    assert reach.tests([a], 1) == ["tests/test_near.py"]
    assert reach.tests([b], 9) == ["tests/test_other.py", "tests/test_far.py"]


def test_a_file_of_data_is_reached_by_its_name_and_its_folder(tmp_path):
    (tmp_path / "book/pages").mkdir(parents=True)
    for name in ("numbers.json", "other.md"):
        (tmp_path / "book/pages" / name).write_text("")
    reach = small_project(
        tmp_path,
        tests__test_named="DATA = 'numbers.json'",
        tests__test_folder="DATA = ROOT / 'book/pages/'",
    )
    assert set(reach.tests(["book/pages/other.md"], 9)) == {"tests/test_folder.py"}
    both = {"tests/test_folder.py", "tests/test_named.py"}
    assert set(reach.tests(["book/pages/numbers.json"], 9)) == both


def test_after_the_time_no_test_begins_and_the_files_are_named(pytester, monkeypatch):
    monkeypatch.setenv("CHECK_UNTIL", "0")
    pytester.makepyfile("def test_one(): raise SystemExit")
    said = pytester.runpytest("-p", "in_time", "-p", "no:cacheprovider").stdout.str()
    assert "(1 tests)" in said and "1 skipped" in said


def test_a_figures_script_is_tested_under_node():
    found = check.plan(["transformer_lite/figures/mask_lab/mask_lab.js"])
    assert found.node == {"tests/figures/mask_lab/mask_lab.test.mjs"}
    kit = check.plan(["transformer_lite/figures/kit/math.js"])
    assert found.node < kit.node


def test_a_drills_script_is_tested_under_node_and_against_the_package():
    found = check.plan(["transformer_lite/drills/scores/scores.js"])
    assert "tests/drills/drills.test.mjs" in found.node
    assert {"tests/drills/test_answers.py", "tests/drills/test_drills.py"} <= {*found.tests}


@pytest.mark.parametrize("name", ["tests/book/test_shell.py"])
def test_what_only_the_browser_sees_is_named(name):
    assert check.plan([name]).untested == [name]


def test_changed_deleted_and_new_files_are_found(tmp_path):
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
    assert changed_files("HEAD", tmp_path) == ["changed", "deleted", "new file"]
    git("add", ".")
    git("commit", "-m", "after")
    assert changed_files("HEAD", tmp_path) == []
    assert changed_files("HEAD~1", tmp_path) == ["changed", "deleted", "new file"]


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
    names = [MODULE, "tests/book/test_shell.py", "book/_static/book.css"]
    monkeypatch.setattr(check, "changed_files", lambda base: names)
    assert check.main("HEAD") == 0
    said = capsys.readouterr().out
    assert "tests/layers/test_masks.py" in said
    assert "Without a test here: tests/book/test_shell.py" in said
    assert {"style of Python", "style of JavaScript", "spelling", "tests"} <= set(quick)
    monkeypatch.setattr(check, "run", lambda title, *command, **_: title != "spelling")
    assert check.main("HEAD") == 1
