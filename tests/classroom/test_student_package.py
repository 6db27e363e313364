"""The students' wheel, installed: the whole package's messages without the solutions."""

import filecmp
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import parameter

from classroom.source import PACKAGES
from classroom.student_package import shared_files, write_student_package
from lessons.kit import exercises
from lessons.kit.cells import source

pytestmark = pytest.mark.xdist_group("releases")
SAME = Path(__file__).with_name("same_messages.py")


@pytest.fixture(scope="module")
def installed(whole_release, tmp_path_factory):
    """The folder that pip installs the wheel into, without anything else."""
    place = tmp_path_factory.mktemp("clean")
    wheel = next((whole_release / "students").glob("*.whl"))
    options = ["--no-deps", "--no-index", "--no-compile", "--target", place]
    command = [sys.executable, "-m", "pip", "install", *options, wheel]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return place


def run(folder, *command):
    """Run Python where the installed package comes first, and torch from where it is here."""
    code = "import transformer_lite as t, sys; print(t.__file__, file=sys.stderr)"
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
    place = [sys.executable, "-c", code]
    where = subprocess.run(place, env=environment, capture_output=True, text=True, cwd=folder)
    assert where.stderr.startswith(str(folder)), where.stderr
    return subprocess.run(
        [sys.executable, *map(str, command)],
        env=environment,
        capture_output=True,
        text=True,
        cwd=folder,
    )


@pytest.mark.parametrize(
    "chapter", [parameter(name, name == "attention") for name in exercises.CHAPTERS]
)
def test_every_answer_gets_the_same_message(installed, chapter):
    done = run(installed, SAME, PACKAGES["lessons"], chapter)
    assert done.returncode == 0, done.stderr
    *different, count = done.stdout.strip().splitlines()
    assert [line for line in different if line] == []
    asked = [e for e in exercises.all_exercises() if e.name.partition(".")[0] == chapter]
    assert int(count.split()[0]) > 15 * len(asked)


def test_all_other_files_are_identical(installed):
    names = list(shared_files())
    for name, path in shared_files().items():
        assert filecmp.cmp(path, installed / name, shallow=False), name
    written = {p.relative_to(installed) for p in installed.rglob("*") if p.is_file()}
    ours = {path.as_posix() for path in written if path.parts[0] in PACKAGES}
    extra = {name for name in ours - {*names} if "__pycache__" not in name}
    assert extra == {
        f"lessons/{chapter}/exercises/{name}"
        for chapter in exercises.CHAPTERS
        for name in ("__init__.py", "exercises.json")
    }


def test_the_setup_cell_of_every_chapter_runs(installed, whole_release):
    """A class whose first cell fails is graded with nothing but zeros."""
    told = [
        json.loads(path.read_text("utf-8"))
        for path in sorted((whole_release / "students").glob("*.ipynb"))
    ]
    cells = [
        next(source(cell) for cell in one["cells"] if cell["cell_type"] == "code") for one in told
    ]
    code = f"for cell in {cells!r}:\n    exec(cell, {{'get_ipython': lambda: None}})"
    done = run(installed, "-c", code)
    assert (len(cells), done.returncode) == (len(exercises.CHAPTERS), 0), done.stderr


def test_the_reference_solutions_are_missing(installed):
    code = "from lessons.kit import exercises as e; e.attention.attend.reference(1)"
    done = run(installed, "-c", code)
    assert "LookupError: this edition has the results of the reference" in done.stderr


def test_only_chosen_exercises_are_written(tmp_path):
    write_student_package(tmp_path, ["tokens.cut"], hints=0)
    written = tmp_path.glob("lessons/*/exercises/exercises.json")
    assert [path.parts[-3] for path in written] == ["tokens"]
    code = (
        "from lessons.kit import exercises as e; print(e.CHAPTERS, e.tokens.__all__);"
        "e.tokens.cut.check(None)"
    )
    told = run(tmp_path, "-c", code).stdout
    assert told.startswith("('tokens',) ['cut']\ntokens.cut: not attempted yet.")
