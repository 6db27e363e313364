"""nbgrader's form of a release, by the rules of its schema, and by nbgrader where it is installed.

Any nbgrader will do, in an environment of its own: NBGRADER=/path/to/venv/bin/nbgrader pytest …
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest
from jupyter_servers import served

from classroom.__main__ import main
from classroom.nbgrader_cells import with_nbgrader, with_solutions
from classroom.plan import ClassPlan
from classroom.source import book
from classroom.student_notebook import student_notebook
from classroom.submissions import collect
from lessons.kit.cells import exercises_in

CHAPTERS = book()
NAMES = tuple(name for chapter in CHAPTERS.values() for name in exercises_in(chapter))
POINTS = {name: 1 + index % 3 / 2 for index, name in enumerate(NAMES)}
PLAN = ClassPlan("A class", "", NAMES, "0" * 64, POINTS)
ASSIGNMENT, NOTEBOOK = "the_cat_at_home", "06_the_cat_sat.ipynb"
NBGRADER = os.environ.get("NBGRADER") or shutil.which("nbgrader") or ""
pytestmark = pytest.mark.xdist_group("releases")

# nbgrader/nbgraderformat/v3.json, of nbgrader 0.9: the keys and what each must be.
TYPES = {
    "schema_version": lambda value: value == 3,
    "grade": lambda value: type(value) is bool,
    "locked": lambda value: type(value) is bool,
    "solution": lambda value: type(value) is bool,
    "task": lambda value: type(value) is bool,
    "grade_id": lambda value: re.fullmatch(r"[a-zA-Z0-9_\-]+", value),
    "points": lambda value: type(value) in (int, float) and value >= 0,
}
REQUIRED = {"schema_version", "grade", "locked", "solution"}


def problems(notebook):
    """Return what nbgrader would refuse: v3.json and `validate_cell`, `validate_nb` of v3.py."""
    found, ids = [], []
    for cell in notebook["cells"]:
        told = cell["metadata"].get("nbgrader")
        if told is None:
            continue
        found += [f"{key} is missing" for key in REQUIRED - told.keys()]
        found += [f"{key} is unknown" for key in told.keys() - TYPES.keys()]
        found += [f"{key} {v!r}" for key, v in told.items() if key in TYPES and not TYPES[key](v)]
        if told.get("grade") or told.get("solution") or told.get("locked"):
            ids.append(told.get("grade_id"))
        if told.get("grade") and "points" not in told:
            found.append("graded without points")
        if cell["cell_type"] != "code":
            found.append("only code is graded here")
    return found + [f"{name} is there twice" for name in set(ids) if ids.count(name) > 1]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_obeys_nbgraders_rules(chapter):
    released = with_nbgrader(student_notebook(CHAPTERS[chapter], PLAN), POINTS)
    for notebook in (released, with_solutions(released, CHAPTERS[chapter])):
        nbformat.validate(nbformat.from_dict(notebook))
        assert problems(notebook) == []
        told = [
            cell["metadata"]["nbgrader"]
            for cell in notebook["cells"]
            if "nbgrader" in cell["metadata"]
        ]
        names = exercises_in(CHAPTERS[chapter])
        solutions = [t["grade_id"] for t in told if t["solution"] and not t["grade"]]
        assert solutions == [name.replace(".", "-") for name in names]
        tests = {t["grade_id"]: t["points"] for t in told if t["grade"] and t["locked"]}
        assert tests == {f"{n.replace('.', '-')}-check": POINTS[n] for n in names}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_teachers_copy_passes_its_own_tests_in_text(chapter):
    """Each start is whole, the solution comes after it, and takes its name."""
    students = with_nbgrader(student_notebook(CHAPTERS[chapter], PLAN), POINTS)
    teachers = with_solutions(students, CHAPTERS[chapter])
    for theirs, ours in zip(students["cells"], teachers["cells"], strict=True):
        if not theirs["metadata"].get("nbgrader", {}).get("solution"):
            assert theirs == ours
            continue
        start, _, rest = ours["source"].partition("\n\n### BEGIN SOLUTION\n")
        assert start == theirs["source"] and "exercises." not in start
        assert rest.endswith("\n### END SOLUTION")
        compile(ours["source"], "cell", "exec")


# nbgrader itself


def write_kernel(course):
    """Put our Python behind the course's kernel."""
    kernel = course / "jupyter/kernels/python3"
    kernel.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    told = {"argv": argv, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(told))


def environment(course):
    """Return the environment of nbgrader's commands."""
    folder = str(Path(NBGRADER).parent)
    return os.environ | {
        "PATH": os.pathsep.join([folder, os.environ["PATH"]]),
        "JUPYTER_PATH": str(course / "jupyter"),
        "PYTHONPATH": str(course / "package"),
    }


def nbgrader(course, *command):
    """Run a command of nbgrader's."""
    done = subprocess.run(
        [NBGRADER, *command],
        cwd=course, env=environment(course), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done


VALIDATE = """
import json, sys, nbformat
from nbgrader.nbgraderformat import MetadataValidator
for release in json.load(sys.stdin):
    MetadataValidator().validate_nb(nbformat.from_dict(release))
"""


def validated(releases):
    """Let nbgrader's own validator read some releases."""
    python = Path(NBGRADER).with_name("python")
    return subprocess.run(
        [python, "-c", VALIDATE], input=json.dumps(releases), capture_output=True, text=True
    )


@pytest.mark.nightly
@pytest.mark.nbgrader
def test_nbgraders_own_validator_agrees():
    releases = [with_nbgrader(student_notebook(c, PLAN), POINTS) for c in CHAPTERS.values()]
    done = validated(releases)
    assert done.returncode == 0, done.stderr[-3000:]
    graded = next(
        c for c in releases[-1]["cells"] if c["metadata"].get("nbgrader", {}).get("grade")
    )
    graded["metadata"]["nbgrader"]["points"] = "many"
    assert "ValidationError" in validated(releases).stderr


def code(cell):
    return "".join(cell["source"])


def handed_in(course, student, notebook, solved=(), without=()):
    """Put a student's copy where nbgrader looks for it, with solutions of the teacher's copy."""
    teachers = json.loads((course / f"source/{ASSIGNMENT}/{NOTEBOOK}").read_text("utf-8"))
    answers = {cell["id"]: code(cell) for cell in teachers["cells"]}
    told = json.loads(json.dumps(notebook))
    told["cells"] = [cell for cell in told["cells"] if cell["id"] not in without]
    for cell in told["cells"]:
        if cell["metadata"].get("transformer_lite", {}).get("exercise") in solved:
            cell["source"] = answers[cell["id"]]
    folder = course / "submitted" / student / ASSIGNMENT
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_text(json.dumps(told), encoding="utf-8")


EXPECTED = {"ana": 3, "bo": 1, "cy": 3, "dee": 3, "eve": 0}


@pytest.fixture(scope="module")
def course(chapter_release, tmp_path_factory):
    """nbgrader's course folder, with what five students have handed in."""
    folder = tmp_path_factory.mktemp("course") / "course"
    shutil.copytree(chapter_release / "teacher/nbgrader", folder)
    wheel = next((chapter_release / "students").glob("*.whl"))
    shutil.unpack_archive(wheel, folder / "package", "zip")
    write_kernel(folder)
    ours = json.loads((chapter_release / "students" / NOTEBOOK).read_text("utf-8"))
    theirs = ours
    if NBGRADER:
        nbgrader(folder, "generate_assignment", ASSIGNMENT, "--create")
        theirs = json.loads((folder / f"release/{ASSIGNMENT}/{NOTEBOOK}").read_text("utf-8"))
    every = exercises_in(CHAPTERS["06_the_cat_sat"])
    handed_in(folder, "ana", theirs, every)
    handed_in(folder, "bo", theirs, every[:1])
    handed_in(folder, "cy", ours, every)  # from our zip, and not from nbgrader's release
    handed_in(folder, "dee", theirs, every, without={"06-055-check"})
    handed_in(folder, "eve", theirs)
    return folder


@pytest.mark.nightly
@pytest.mark.nbgrader
def test_nbgrader_makes_the_students_notebook_of_the_teachers(course, chapter_release):
    theirs = json.loads((course / f"release/{ASSIGNMENT}/{NOTEBOOK}").read_text("utf-8"))
    ours = json.loads((chapter_release / "students" / NOTEBOOK).read_text("utf-8"))
    assert [code(c).rstrip() for c in theirs["cells"]] == [code(c) for c in ours["cells"]]
    for their, our in zip(theirs["cells"], ours["cells"], strict=True):
        for name in ("checksum", "cell_type"):
            their["metadata"].get("nbgrader", {}).pop(name, None)
        assert their["metadata"] == our["metadata"]


@pytest.fixture(scope="module")
def graded(course):
    """The course once nbgrader has graded it."""
    nbgrader(course, "autograde", ASSIGNMENT, "--create")
    nbgrader(course, "generate_feedback", ASSIGNMENT)
    nbgrader(course, "export")
    return course


@contextmanager
def formgrader(course):
    """Yield what reads a page of nbgrader's formgrader, which a server of its own shows."""
    own = {"JUPYTER_RUNTIME_DIR": str(course / "runtime"), "HOME": str(course)}
    command = [Path(NBGRADER).with_name("jupyter"), "server", "--no-browser", "--allow-root"]
    command += ["--ServerApp.port=0", "--ServerApp.ip=127.0.0.1", "--IdentityProvider.token="]
    with served(command, cwd=course, env=environment(course) | own) as address:

        def read(page):
            with urlopen(f"{address}/formgrader/{page}", timeout=60) as answer:
                return answer.read().decode()

        yield read


@pytest.mark.nightly
@pytest.mark.nbgrader
def test_nbgrader_grades_and_gives_feedback(graded):
    course = graded
    with (course / "grades.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["student_id"]: float(row["score"]) for row in rows} == EXPECTED
    assert {row["assignment"] for row in rows} == {ASSIGNMENT}
    feedback = course / f"feedback/bo/{ASSIGNMENT}/06_the_cat_sat.html"
    assert "the_cat_sat.weights_of_words: not right yet." in feedback.read_text("utf-8")


@pytest.mark.nightly
@pytest.mark.nbgrader
def test_the_formgrader_opens_what_was_graded(graded):
    stem = Path(NOTEBOOK).stem
    with formgrader(graded) as page:
        (told,) = json.loads(page("api/assignments"))
        assert (told["name"], told["num_submissions"]) == (ASSIGNMENT, len(EXPECTED))
        papers = json.loads(page(f"api/submitted_notebooks/{ASSIGNMENT}/{stem}"))
        assert {one["student"]: one["score"] for one in papers} == EXPECTED
        (bo,) = (one["id"] for one in papers if one["student"] == "bo")
        paper = page(f"submissions/{bo}/")
    assert "the_cat_sat.weights_of_words: not right yet." in paper
    assert paper.count('<input class="score') == 3  # a box for each exercise's points


def test_nbgraders_tree_is_collected(course, tmp_path):
    found = collect(course / "submitted", tmp_path)
    assert [one.student.id for one in found] == list(EXPECTED)
    assert {one.student.platform for one in found} == {"nbgrader"}
    assert all(len(one.notebooks) == 1 and not one.problem for one in found)


@pytest.mark.nightly
@pytest.mark.sandbox
def test_our_grader_gives_the_same_points(course, chapter_release, tmp_path):
    plan = chapter_release / "teacher/class.json"
    command = ["grade", str(course / "submitted"), "--class", str(plan)]
    assert main([*command, "--out", str(tmp_path / "grades"), "--workers", "1"]) == 0
    with (tmp_path / "grades/nbgrader.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["student_id"]: float(row["score"]) for row in rows} == EXPECTED
    assert {row["assignment"] for row in rows} == {ASSIGNMENT}
