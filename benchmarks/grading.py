"""How long a class takes to grade, and how much memory: 200 notebooks, one in twenty hostile.

A release of one chapter is made, answered by an invented class and packed as Moodle exports it. Of
three answers about two are the book's, one has an operation changed; some were never begun.
Run on a quiet machine: ``python benchmarks/grading.py``; it needs bubblewrap, podman or docker.
``python benchmarks/grading.py 60 --honest`` grades sixty notebooks without a hostile one.
"""

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from pathlib import Path

from peers import report, rounded

from classroom import release
from classroom.grading import grade
from classroom.marks import Graded
from classroom.plan import ClassPlan
from classroom.processes import usage
from classroom.reports import solutions, write_reports
from classroom.source import book

STUDENTS, WORKERS, CHAPTER, EVERY = 200, 2, "08", 20
HOSTILE = {
    "loop": "while True:\n    pass",
    "memory": "hoard = []\nwhile True:\n    hoard.append(bytearray(50_000_000))",
    "forks": "import os\nwhile True:\n    os.fork()",
    "output": "while True:\n    print('x' * 1_000_000)",
    "disk": "file = open('/tmp/full', 'wb')\nwhile True:\n    file.write(bytes(10**7))",
    "signals": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "exit": "import os\nos._exit(0)",
    "files": "import glob\nprint(glob.glob('/**/class.json', recursive=True))",
    "network": "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
    "patches": "import torch\ntorch.Tensor.__eq__ = torch.equal = lambda *_: True",
}
CHANGES = (("dim=-1", "dim=0"), ("True", "False"), ("&", "|"), ("+", "-"), ("[:, None]", "[None]"))


def class_of(chapter: dict, answers: dict[str, str], draw: random.Random, trick: str) -> dict:
    """One student's notebook: each answer right, changed or not begun; a trick before them."""
    cells = []
    for cell in chapter["cells"]:
        name = cell["metadata"].get("transformer_lite", {}).get("exercise", "")
        kind = draw.choices(["right", "changed", "starter"], [60, 30, 10])[0]
        if name in answers and kind != "starter":
            text = answers[name]
            if kind == "changed":
                usable = [pair for pair in CHANGES if pair[0] in text] or [("return", "return 2 *")]
                text = text.replace(*draw.choice(usable))
            cell = cell | {"source": text}
        cells.append(cell)
    setup = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
    # No two are the same, or the grader would run them once.
    own = [f"mark = {draw.random()}", trick]
    added = [{**cells[setup], "id": f"own-{i}", "source": text} for i, text in enumerate(own)]
    cells[setup + 1 : setup + 1] = added
    return chapter | {"cells": cells}


def answers_to(plan: ClassPlan) -> dict[str, str]:
    """The book's solutions under the names that are asked for."""
    return {
        name: text.replace(f"{name.partition('.')[2]}_solution", name.partition(".")[2])
        for name, text in solutions().items()
        if name in plan.exercises
    }


def is_hostile(number: int) -> bool:
    """One in so many."""
    return number % EVERY == EVERY - 1


def export(folder: Path, plan: ClassPlan, students: int, honest: bool) -> Path:
    """Make the release, the class, and the zip that Moodle would give."""
    release.release(folder / "release", plan)
    (path,) = (folder / "release/students").glob("*.ipynb")
    chapter = json.loads(path.read_text(encoding="utf-8"))
    answers = answers_to(plan)
    draw, tricks = random.Random(14), list(HOSTILE.values())
    packed = folder / "submissions.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(students):
            hostile = is_hostile(number) and not honest
            trick = tricks[number // EVERY % len(tricks)] if hostile else ""
            notebook = class_of(chapter, answers, draw, trick)
            name = f"Student {number:03}_{number + 1000}_assignsubmission_file/{path.name}"
            archive.writestr(name, json.dumps(notebook))
    return packed


class Watch:
    """The largest resident memory of this process and of all that it has started, in MiB."""

    def __init__(self) -> None:
        self.all = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.2):
            self.all = max(self.all, usage(os.getpid()).memory / 2**20)


def measured(packed: Path, out: Path, plan: ClassPlan) -> tuple[list[Graded], dict[str, float]]:
    """Grade them once, and once more with everything kept."""
    with Watch() as watch:
        start = time.perf_counter()
        graded = grade(packed, out, plan, WORKERS)
        first = time.perf_counter() - start
    start = time.perf_counter()
    write_reports(out, graded, plan)
    reports = time.perf_counter() - start
    start = time.perf_counter()
    if grade(packed, out, plan, WORKERS) != graded:
        sys.exit("a second run gave other grades")
    again = time.perf_counter() - start
    return graded, {
        "seconds": first,
        "seconds a submission": first / len(graded),
        "seconds for tables and pages": reports,
        "seconds of a second run": again,
        "MiB of the grader": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
        "MiB of the grader and its sandboxes": watch.all,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("students", nargs="?", type=int, default=STUDENTS)
    parser.add_argument("--honest", action="store_true", help="nobody is hostile")
    parser.add_argument("--chapter", default=CHAPTER)
    options = parser.parse_args()
    chapters = book()
    plan = ClassPlan(
        title="A class",
        date="",
        exercises=(names := release.chosen(chapters, options.chapter, [])),
        secret="14" * 32,
        points=dict.fromkeys(names, 1.0),
    )
    with tempfile.TemporaryDirectory() as folder:
        packed = export(Path(folder), plan, options.students, options.honest)
        graded, costs = measured(packed, Path(folder) / "grades", plan)
    counts = Counter(mark.status for g in graded for mark in g.marks.values())
    tricky = (g for g in graded if is_hostile(int(g.student.id) - 1000))
    hostile = [] if options.honest else list(tricky)
    tricked = Counter(mark.status for g in hostile for mark in g.marks.values())
    rows: list[dict] = [{"what": name, "measured": rounded(value)} for name, value in costs.items()]
    rows += [{"what": f"answers: {name}", "measured": n} for name, n in sorted(counts.items())]
    rows += [{"what": f"of the hostile: {n}", "measured": k} for n, k in sorted(tricked.items())]
    which = f"{len(graded)} submissions of chapter {options.chapter}"
    title = f"Grading {which}, {len(hostile)} of them hostile"
    note = f"{WORKERS} sandboxes at a time, {len(names)} exercises; shared memory counts twice."
    report("grading_honest" if options.honest else "grading", title, rows, note)


if __name__ == "__main__":
    main()
