"""No attack gets a point that it has not earned, hangs the grader or reaches anything outside."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from contextlib import ExitStack
from pathlib import Path

import pytest
from attack_table import (
    CHAPTER,
    EVERY_KIND,
    EXERCISES,
    NOT_TRIED_OUTSIDE,
    REACHES,
    RIGHT,
    SAMPLE,
    Hostile,
)
from class_work import hand_in, notebook, plan_for, solutions

import classroom.answers
import transformer_lite
from classroom.grading import Grader, grade
from classroom.marks import Graded
from classroom.plan import ClassPlan

ROOT = Path(transformer_lite.__file__).parents[1]
MODULE = CHAPTER.partition("_")[2]
MARKER = "a value that only the grader's environment has"

pytestmark = pytest.mark.sandbox

SCRIPT = """
import json, sys
task, found = json.load(sys.stdin), {}
for name, source in task["reaches"].items():
    space = {"task": task}
    try:
        exec(source, space)
        found[name] = bool(space["reached"])
    except BaseException as error:
        found[name] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""


def answer(source: str, name: str) -> str:
    """The source of an attack on one exercise."""
    right = solutions(CHAPTER)[f"{MODULE}.{name}"]
    return right if source == RIGHT else source.strip().replace("NAME", name) + "\n"


def digest(folder: Path) -> str:
    """All that a folder holds, in short."""
    found = sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))
    contents = [p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()]
    return hashlib.sha256(b"\0".join([*map(str.encode, found), *contents])).hexdigest()


@pytest.fixture(scope="module")
def place():
    """What a teacher has: a class, its submissions and grades, in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        place = Path(folder)
        plan_for(CHAPTER).save(place / "class.json")
        hand_in(place / "in", "Ada Lovelace.ipynb", notebook(CHAPTER, solutions(CHAPTER)))
        hand_in_hostile(place, SAMPLE)
        yield place


def hand_in_hostile(place: Path, hostile: Hostile) -> None:
    """Put a hostile notebook among the submissions."""
    answers = {f"{MODULE}.{n}": answer(s, n) for n, s in hostile.answers.items()}
    hand_in(place / "in", f"{hostile.name}.ipynb", notebook(CHAPTER, answers, hostile.more))


@pytest.fixture(scope="module")
def reached(place):
    """Run the attacks in the sandbox and outside; return what they reached and who was called."""
    (place / "graded").mkdir()
    (place / "graded/kept.json").write_text("{}")
    scratch = place / "scratch"
    (scratch / "work").mkdir(parents=True)
    plan = ClassPlan.load(place / "class.json")
    grader = Grader(plan, place / "graded", scratch, (place / "in", place / "graded"))
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        by_path, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        by_path.bind(str(place / "socket"))
        abstract.bind(f"\0{place.name}")
        for listener in (server, by_path, abstract):
            listener.listen()
            listener.setblocking(False)
        task = task_of(place, plan, server.getsockname()[1])
        before = digest(place / "in"), digest(place / "graded")
        ran = grader._sandbox.run(["-c", SCRIPT], json.dumps(task).encode())
        inside = json.loads(ran.output)
        heard = [listener for listener in (server, by_path, abstract) if was_called(listener)]
        unchanged = before == (digest(place / "in"), digest(place / "graded"))
        outside = run_outside(task, place)
        called = [listener for listener in (server, by_path, abstract) if was_called(listener)]
    shutil.rmtree(scratch)
    return inside, outside, heard, called, unchanged


def task_of(place: Path, plan: ClassPlan, port: int) -> dict:
    """Where everything is that an attack may want."""
    return {
        "reaches": {name: textwrap.dedent(source) for name, source in REACHES.items()},
        "secret": plan.secret,
        "class.json": str(place / "class.json"),
        "other": str(place / "in/Ada Lovelace.ipynb"),
        "graded": str(place / "graded/kept.json"),
        "root": str(place),
        "book": str(ROOT / f"notebooks/{CHAPTER}.ipynb"),
        "tests": str(Path(__file__)),
        "marker": MARKER,
        "pids": [os.getpid(), os.getppid()],
        "cmdline": Path("/proc/self/cmdline").read_text(),
        "port": port,
        "unix": str(place / "socket"),
        "abstract": place.name,
        "scratch": "/scratch",
    }


def run_outside(task: dict, place: Path) -> dict:
    """Run the single-line attacks outside the sandbox, with the grader's environment."""
    single_line = {n: s for n, s in task["reaches"].items() if n not in NOT_TRIED_OUTSIDE}
    (place / "outside").mkdir()
    task = task | {"reaches": single_line, "scratch": str(place / "outside")}
    child = subprocess.Popen(["sleep", "100"], env={"MARKER": MARKER})
    task["pids"] = [os.getpid(), child.pid]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MARKER": MARKER}
    try:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=json.dumps(task).encode(),
            env=environment,
            capture_output=True,
            check=True,
        )
    finally:
        child.kill()
        child.wait()
    return json.loads(done.stdout)


def was_called(listener: socket.socket) -> bool:
    """Return whether anybody has called since the last time."""
    called = False
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return called
        called = True


@pytest.mark.parametrize("name", REACHES)
def test_the_sandbox_blocks_access_to_the_outside(name, reached):
    assert reached[0][name] is not True


@pytest.mark.parametrize("name", [name for name in REACHES if name not in NOT_TRIED_OUTSIDE])
def test_the_same_access_succeeds_without_a_sandbox(name, reached):
    """Each attack works outside the sandbox, so its failure inside means something."""
    assert reached[1][name] is True


def test_attacks_open_no_connection_and_change_no_file(reached):
    heard, called, unchanged = reached[2:]
    assert heard == []
    assert len(called) == 3  # from outside, each of the three hears of it
    assert unchanged


@pytest.fixture(scope="module")
def graded(place):
    """The hostile submission and an honest one, graded."""
    return grade_all(place)


def grade_all(place: Path) -> dict[str, Graded]:
    """Grade the submissions with little time and memory, and leave them unchanged."""
    patch = pytest.MonkeyPatch()
    # A call may take 10 seconds of processor time, and starting PyTorch 6 on a slow machine.
    patch.setattr(classroom.answers, "SECONDS", 22)
    patch.setattr(classroom.answers, "MEMORY", 700 << 20)
    plan = ClassPlan.load(place / "class.json")
    before = digest(place / "in")
    try:
        found = grade(place / "in", place / "grades", plan)
    finally:
        patch.undo()
    assert digest(place / "in") == before
    return {one.student.name: one for one in found}


@pytest.mark.parametrize("name", EXERCISES)
def test_an_attack_gets_only_the_points_that_it_earned(name, graded):
    require_earned(SAMPLE, name, graded)


def require_earned(hostile: Hostile, name: str, graded: dict[str, Graded]) -> None:
    mark = graded[hostile.name].marks[f"{MODULE}.{name}"]
    status = hostile.statuses.get(name, RIGHT)
    assert (mark.status, mark.points) == (status, float(status == RIGHT)), mark.message
    assert hostile.words.get(name, "") in mark.message


@pytest.mark.nightly
@pytest.mark.parametrize("hostile", EVERY_KIND, ids=lambda one: one.name)
def test_every_attack_gets_only_the_points_that_it_earned(hostile):
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        place = Path(folder)
        plan_for(CHAPTER).save(place / "class.json")
        hand_in_hostile(place, hostile)
        graded = grade_all(place)
    for name in EXERCISES:
        require_earned(hostile, name, graded)


def test_an_honest_student_among_them_has_every_point(graded):
    """The student hands in the book's own solution; it is kept, so that it can be recognized."""
    ada = graded["Ada Lovelace"]
    assert ada.points == ada.of == len(EXERCISES)
    assert all(solutions(CHAPTER)[n].strip() in mark.answer for n, mark in ada.marks.items())
