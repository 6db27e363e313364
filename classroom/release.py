"""Write the release for a class, from the book's notebooks and package.

OUT/students and OUT/students.zip are for the class: chapters without solutions and outputs, the
package without answers, and a page that says how to begin. OUT/teacher stays with you: class.json
holds the secret from which the grader draws its own cases. OUT/SHA256SUMS is for both.

An earlier release of the same exercises in OUT is replaced; its secret and its points stay, unless
--seed gives another secret. One of other exercises stays as it is, and nothing is written: its
class.json is what the class is graded with. Before anything is handed over, a search goes through
the students' files for answers; if it finds one, nothing is written.
"""

import argparse
import hashlib
import json
import re
import secrets
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from classroom.nbgrader_cells import CONFIG, with_nbgrader, with_solutions
from classroom.plan import ClassPlan
from classroom.prose import FILE, prose
from classroom.source import PROJECT, ROOT, book, minilm
from classroom.student_notebook import student_notebook
from classroom.student_package import write_student_package
from classroom.student_page import (
    reads_prose,
    reads_weights,
    requirements,
    student_page,
)
from classroom.wheel import wheel
from lessons.kit.archives import checksums, zipped
from lessons.kit.cells import exercises_in, mentioned

TITLE = "The Transformer, number by number"
_PARTS = ("students", "students.zip", "SHA256SUMS", "teacher/class.json")
_LATE = ("late_percent", "late_grace", "late_most")
_NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_Chapters = dict[str, dict[str, Any]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--out", required=True, type=Path, help="the folder to write")
    parser.add_argument("--chapters", default="", help="all exercises of these, as in 05,06")
    parser.add_argument(
        "--exercises", nargs="+", default=[], metavar="NAME", help="these, as attention.attend"
    )
    parser.add_argument(
        "--points", nargs="+", default=[], metavar="NAME=N", help="as in attention.attend=3; else 1"
    )
    parser.add_argument(
        "--late", default="", metavar="PERCENT[,GRACE[,MOST]]", help="what each day late costs"
    )
    parser.add_argument(
        "--partial", action="store_true", help="what holds in some cases gets a part of its points"
    )
    parser.add_argument("--seed", help="a text that the secret is made of; else it is random")
    parser.add_argument("--title", default=TITLE, help="the title of the students' page")
    parser.add_argument("--date", default="", help="the day on which work is due: 2027-03-31")
    parser.add_argument(
        "--hints", type=int, default=2, help="how many hints, 0 to 3 (nearly the code); 2 by itself"
    )
    parser.add_argument(
        "--replace", action="store_true", help="take the place of a release of other exercises"
    )
    parser.add_argument("--nbgrader", action="store_true", help="with nbgrader's cell metadata")


def run(options: argparse.Namespace) -> None:
    """Write a release with the given options, and print its folder."""
    chapters = book()
    names = chosen(chapters, options.chapters, options.exercises)
    earlier = earlier_plan(options.out)
    if earlier and not options.replace:
        _check_same(options.out, earlier, names)
    if options.seed == "":
        raise ValueError("seed must not be empty")
    random = earlier.secret if earlier else secrets.token_hex(32)
    points = (earlier.points if earlier else {}) | points_of(options.points, names)
    rules = {n: getattr(earlier, n) for n in (*_LATE, "partial")} if earlier else {}
    rules |= late_rule(options.late) | ({"partial": True} if options.partial else {})
    plan = ClassPlan(
        title=options.title,
        date=options.date,
        exercises=names,
        secret=hashlib.sha256(options.seed.encode()).hexdigest() if options.seed else random,
        points={name: points.get(name, 1) for name in names},
        hints=options.hints,
        **rules,
    )
    release(options.out, plan, options.nbgrader)
    print(f"{options.out}/students.zip: {len(names)} exercises, for the class")
    print(f"{options.out}/teacher/class.json: the secret and the points, for you alone")


def points_of(texts: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """Read points such as "attention.attend=3".

    Raises:
        ValueError: a value is not a number, or a name is not one of these exercises.
    """
    found = {}
    for text in texts:
        name, _, points = text.partition("=")
        if name not in names or not _NUMBER.fullmatch(points):
            raise ValueError(
                f"points must be as in {names[0]}=3, of an exercise of this class, got {text!r:.60}"
            )
        found[name] = _plain(points)
    return found


def late_rule(text: str) -> dict[str, float]:
    """Read the cost of late days: "10" percent a day, or "10,1,50" (one day free, 50 at most).

    Raises:
        ValueError: the text has another form.
    """
    parts = text.split(",") if text else []
    if len(parts) > len(_LATE) or not all(map(_NUMBER.fullmatch, parts)):
        raise ValueError(f"late must be as in 10 or 10,1,50, got {text!r:.60}")
    return dict(zip(_LATE, map(_plain, parts), strict=False))


def _plain(text: str) -> float:
    return int(text) if text.isdecimal() else float(text)


def _check_same(out: Path, earlier: ClassPlan, names: Sequence[str]) -> None:
    if other := sorted(set(earlier.exercises) ^ set(names)):
        what = "lacks" if other[0] in earlier.exercises else "adds"
        raise ValueError(
            f"out must be a folder for this class, and {out} is that of {earlier.title!r}: this "
            f"release {what} {other[0]}. Name another folder, as in make class OUT=week2, or say "
            "--replace: then what was handed out from there can no longer be graded"
        )


def chosen(chapters: _Chapters, numbers: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen exercises in the order of the book; if nothing is chosen, all.

    Args:
        chapters: the book.
        numbers: chapters of which all exercises are chosen: "05,06", or with their names.
        names: individually chosen exercises.

    Raises:
        ValueError: a chapter or an exercise is unknown.
    """
    inside = {chapter: exercises_in(notebook) for chapter, notebook in chapters.items()}
    every = [name for found in inside.values() for name in found]
    wanted = set(names)
    for number in filter(None, map(str.strip, numbers.split(","))):
        fitting = [c for c in chapters if number in (c, *c.split("_", 1))]
        if not fitting:
            raise ValueError(f"chapters must be as in 05,06 or attention, got {number!r}")
        wanted |= set(inside[fitting[0]])
    if unknown := sorted(wanted - set(every)):
        raise ValueError(f"exercises must be names such as attention.attend, got {unknown[0]!r}")
    return tuple(name for name in every if name in wanted or not wanted)


def earlier_plan(out: Path) -> ClassPlan | None:
    """Return the plan of the release in a folder; None if there is nothing.

    Raises:
        ValueError: the folder contains something else.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return None
    if not (out / "SHA256SUMS").is_file() or not (out / "teacher/class.json").is_file():
        raise ValueError(f"out must be a new folder or an earlier release, got {out}")
    return ClassPlan.load(out / "teacher/class.json")


def release(out: str | Path, plan: ClassPlan, nbgrader: bool = False) -> None:
    """Write a release; once it is complete, it replaces an earlier one part by part.

    In an existing nbgrader course folder, only the `source` of this class is replaced.

    Args:
        out: a new folder, an empty one, or one with an earlier release.
        plan: the plan of the class.
        nbgrader: whether to add nbgrader's metadata to the notebooks, and a course folder for the
            teacher.

    Raises:
        ValueError: `out` contains something else, or the students' files would contain an answer.
    """
    out = Path(out)
    earlier_plan(out)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".release-", dir=out) as scratch:
        written = Path(scratch) / "release"
        _write(written, plan, nbgrader)
        course = "teacher/nbgrader"
        for part in (*_PARTS, *((f"{course}/source/{plan.slug}",) if nbgrader else ())):
            _remove(out / part)
            if (written / part).exists():
                (out / part).parent.mkdir(parents=True, exist_ok=True)
                (written / part).rename(out / part)
        config = f"{course}/nbgrader_config.py"
        if nbgrader and not (out / config).exists():
            (written / config).rename(out / config)


def _write(out: Path, plan: ClassPlan, nbgrader: bool) -> None:
    chapters = {
        name: notebook
        for name, notebook in book().items()
        if set(exercises_in(notebook)) & set(plan.exercises)
    }
    notebooks = {
        f"{name}.ipynb": student_notebook(notebook, plan, tuple(chapters))
        for name, notebook in chapters.items()
    }
    if nbgrader:
        notebooks = {name: with_nbgrader(n, plan.points) for name, n in notebooks.items()}
        _write_course(out / "teacher/nbgrader", plan, notebooks, chapters)
    files = _student_files(plan, notebooks)
    contents = {f"students/{name}": content for name, content in files.items()}
    folder = plan.slug
    packed = zipped({f"{folder}/{name}": files[name] for name in files})
    contents["students.zip"] = packed
    contents["SHA256SUMS"] = checksums(contents).encode()
    _write_files(out, contents)
    (out / "teacher").mkdir(exist_ok=True)
    plan.save(out / "teacher/class.json")


def _student_files(plan: ClassPlan, notebooks: _Chapters) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as scratch:
        # A chapter may show an exercise that the class does not have to solve.
        named = set(plan.exercises).union(*map(mentioned, notebooks.values()))
        write_student_package(scratch, named, plan.hints)
        name, content = wheel(Path(scratch), PROJECT)
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    weights = minilm() if reads_weights(notebooks) else ""
    python, needed = project["requires-python"].lstrip(">="), project["dependencies"]
    page = student_page(plan, notebooks, name, weights, python, needed)
    texts = {
        "start_here.html": page,
        "requirements.txt": requirements(pinned, needed, name, notebooks),
        **{name: _text(notebook) for name, notebook in notebooks.items()},
    }
    return (
        {name: content}
        | {name: text.encode() for name, text in texts.items()}
        | _read_by(notebooks)
    )


def _read_by(notebooks: _Chapters) -> dict[str, bytes]:
    """Return the files that the class's chapters read."""
    return {FILE: prose().encode()} if reads_prose(notebooks) else {}


def _write_course(out: Path, plan: ClassPlan, notebooks: _Chapters, chapters: _Chapters) -> None:
    """Write an nbgrader course folder: its settings and the teacher's copies."""
    slug = plan.slug
    sources = {
        f"source/{slug}/{name}": _text(with_solutions(notebook, chapters[name[: -len(".ipynb")]]))
        for name, notebook in notebooks.items()
    }
    texts = {"nbgrader_config.py": CONFIG.format(course=slug), **sources}
    files = {name: text.encode() for name, text in texts.items()}
    read = {f"source/{slug}/{name}": text for name, text in _read_by(notebooks).items()}
    _write_files(out, files | read)


def _write_files(folder: Path, contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _text(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
