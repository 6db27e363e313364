"""Grade what a class handed in.

Every submission runs in a sandbox, which only computes. What it computed is compared here, by the
same rules and in the same words as the checks that students know, on the open cases and on others
that only this class's secret gives. Nothing of a submission runs, or is loaded, in this process.

What has been graded is kept in GRADES/results: a second run grades nothing twice.
"""

import argparse
import compileall
import hashlib
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from classroom import anonymous, decisions, gradebooks, lateness, runner
from classroom.answers import Answers, answers_of, check_start, fonts_of
from classroom.jobs import Job, Marks, Notebook
from classroom.marking import Marker
from classroom.marks import ABSENT, FAILED, Graded, Mark
from classroom.owners import NOT_SURE
from classroom.plan import ClassPlan
from classroom.released import Chapter, released_chapters
from classroom.reports import write_reports
from classroom.roster import Roster
from classroom.sandbox import Mounts, NoSandboxError, Sandbox, find_sandbox
from classroom.source import PACKAGES, ROOT
from classroom.student_package import write_student_package
from classroom.submissions import Submission, collect
from classroom.tables import read_table
from lessons.kit.exercises import cpu_time_limits
from transformer_lite.files import write_whole


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("submissions", type=Path, help="a notebook, a folder or a zip of them")
    parser.add_argument("--out", required=True, type=Path, help="the folder for the grades")
    parser.add_argument(
        "--class", dest="plan", required=True, type=Path, help="class.json of the release"
    )
    parser.add_argument("--workers", type=int, help="submissions at a time; as many as processors")
    parser.add_argument("--moodle", type=Path, help="Moodle's grading worksheet, to fill in")
    parser.add_argument(
        "--moodle-columns",
        nargs=2,
        metavar=("GRADE", "COMMENTS"),
        default=(gradebooks.GRADE, gradebooks.COMMENTS),
        help="what the worksheet calls these two, in the language of your Moodle",
    )
    parser.add_argument("--roster", type=Path, help="who is in the class: name,id,files as CSV")
    parser.add_argument("--canvas", type=Path, help="Canvas' exported gradebook, to fill in")
    parser.add_argument(
        "--anonymous", action="store_true", help="codes instead of names on all pages"
    )


def run(options: argparse.Namespace) -> int:
    """Grade as the options say, and write the reports."""
    plan = ClassPlan.load(options.plan)
    paths, columns = (options.moodle, options.canvas), tuple(options.moodle_columns)
    moodle, canvas = (read_table(path) if path else "" for path in paths)
    gradebooks.moodle_table([], moodle, *columns)  # reports problems of a sheet before grading
    gradebooks.canvas_table([], plan, canvas)
    late = gradebooks.late_days(moodle)
    roster = Roster.load(options.roster) if options.roster else None
    book = options.out / decisions.FILE
    decided = decisions.read(read_table(book), plan) if book.exists() else []
    secret = tuple(path.resolve() for path in (options.plan, options.roster) if path)
    try:
        graded = grade(options.submissions, options.out, plan, options.workers, secret, roster)
    except KeyboardInterrupt:
        print("Stopped. What is graded is kept: the same command goes on from here.")
        return 130
    except NoSandboxError as error:
        print(error, file=sys.stderr)
        return 2
    codes = anonymous.codes_of(graded, plan.secret)
    graded, remarks = decisions.decided(lateness.with_days(graded, late), decided, codes)
    graded = lateness.with_deductions(graded, plan)
    shown = codes if options.anonymous else None
    remarks += write_reports(options.out, graded, plan, moodle, canvas, columns, shown)
    if not book.exists():
        book.write_text(decisions.HEAD, encoding="utf-8")
    remarks += gradebooks.remarks(graded, plan, moodle, canvas, columns)
    unfilled = gradebooks.unfilled(graded, moodle, canvas)
    return _print_summary(graded, [*remarks, *unfilled], book) or int(bool(unfilled))


def _print_summary(graded: list[Graded], remarks: list[str], book: Path) -> int:
    """Print the summary for the teacher; return the exit status."""
    for remark in remarks:
        print(remark, file=sys.stderr)
    if late_somehow := sum(lateness.UNKNOWN in one.notes for one in graded):
        told = f"Of {late_somehow} late submissions nobody says by how many days"
        print(f"{told}: say it in {book} (late_days).", file=sys.stderr)
    if unsure := sum(any(NOT_SURE in note for note in one.notes) for one in graded):
        told = f"{unsure} submissions bear names of which it is not sure whose they are"
        print(f"{told}: see the remarks, and say it in a roster (--roster).", file=sys.stderr)
    failed = sum(one.problem == FAILED for one in graded)
    if failed:
        told = f"{failed} submissions could not be run, so their zeros are not grades."
        print(f"{told} Run the same command again before you use the tables.", file=sys.stderr)
    count = sum(one.problem not in (FAILED, ABSENT) for one in graded)
    print(f"{count} submissions graded: begin with {book.with_name('teacher.html')}")
    return 1 if failed else 0


def grade(
    submissions: str | Path,
    out: str | Path,
    plan: ClassPlan,
    workers: int | None = None,
    private: tuple[Path, ...] = (),
    roster: Roster | None = None,
) -> list[Graded]:
    """Grade submissions.

    Args:
        submissions: a notebook, or a folder or zip of notebooks.
        out: the folder for the grades.
        plan: the class.
        workers: the number of sandboxes at a time; by default, the number of processors.
        private: additional files that no submission may see, such as the plan.
        roster: who is in the class; without it, submissions are named by their files.

    Returns:
        The grades of each student, by name.

    Raises:
        ValueError: there is nothing to grade, or `workers` is not positive.
        NoSandboxError: nothing here can confine a submission.
    """
    workers = (os.cpu_count() or 1) if workers is None else workers
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    out, submissions = Path(out).resolve(), Path(submissions).resolve()
    out.mkdir(parents=True, exist_ok=True, mode=0o700)  # other users may share this machine
    (out / "results").mkdir(exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(prefix="grading-") as folder:
        scratch = Path(folder)
        (scratch / "work").mkdir()
        _show("Unpacking what was handed in …")
        found = collect(submissions, scratch / "work", roster)
        grader = Grader(plan, out / "results", scratch, (submissions, out, *private))
        return grader.grade(found, workers)


class Grader:
    """Grades submissions of one class.

    Args:
        plan: the class.
        kept: the folder of stored results, old and new.
        scratch: a temporary folder, which is removed afterwards.
        private: paths that no submission may see.
    """

    def __init__(self, plan: ClassPlan, kept: Path, scratch: Path, private: tuple[Path, ...]):
        self.plan, self._kept, self._scratch, self._private = plan, kept, scratch, private
        self.chapters = released_chapters(plan)
        self._marker = Marker(plan)
        self._stop = threading.Event()
        #: Marks of notebooks that the machine failed to run.
        self.failed: dict[str, Marks] = {}
        self._seal = _digest(_edition(), plan.secret)

    @cached_property
    def _sandbox(self) -> Sandbox:
        """Return the sandbox, which is made when the first submission has to run."""
        package = self._scratch / "student"
        write_student_package(package, self.plan.exercises, hints=0)
        (package / "runner.py").write_bytes(Path(runner.__file__).read_bytes())
        compileall.compile_dir(package, ddir="/student", quiet=2)  # each start reads it
        _make_readable(package)
        # The copy of the book has its solutions.
        ours = [self._scratch / "work", *PACKAGES.values(), ROOT, *self._private]
        found = find_sandbox(Mounts(package, tuple(ours)))
        check_start(found)
        name, fonts = fonts_of(found)
        if name:
            (package / name).write_text(fonts)
            (package / name).chmod(0o644)
        return found

    def grade(self, submissions: list[Submission], workers: int) -> list[Graded]:
        """Grade all submissions, several at a time."""
        jobs = []
        for count, submission in enumerate(submissions, start=1):
            _show(f"{count} of {len(submissions)} read: {submission.student.name:.40}")
            jobs.append(Job(self, submission))
        waiting = {job.key: job for one in jobs for job in one.notebooks if not self._has(job.key)}
        if waiting:
            _show("Trying whether the sandbox holds …")
            _ = self._sandbox  # raises now, before anything runs
        with self._pool(workers) as pool, cpu_time_limits():
            futures: dict[Future[Answers], Notebook] = {
                pool.submit(self._run, job): job for job in waiting.values()
            }
            for count, future in enumerate(as_completed(list(futures)), start=1):
                self._take(futures.pop(future), future.result())
                _show(f"{count} of {len(waiting)} graded")
        _show("", end="")
        return [job.graded() for job in jobs]

    def _take(self, job: "Notebook", answers: Answers) -> None:
        """Judge the answers, and store the marks unless the machine failed."""
        marks = self._marker.marks(job.chapter, job.cells, answers)
        if answers.failed:
            self.failed[job.key] = marks
            print(f"The machine could not run a notebook: {answers.failed}", file=sys.stderr)
        else:
            self._keep(job.key, marks)

    @contextmanager
    def _pool(self, workers: int) -> Iterator[ThreadPoolExecutor]:
        """Yield a pool with no running tasks left on exit, even after Ctrl-C."""
        pool = ThreadPoolExecutor(workers)
        try:
            yield pool
        finally:
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, job: "Notebook") -> Answers:
        cases = {name: self._marker.cases[name] for name in job.chapter.exercises}
        prelude = job.chapter.prelude
        cells = [*prelude, *job.cells]
        return answers_of(self._sandbox, cells, cases, self._stop, ours=len(prelude))

    def _has(self, key: str) -> bool:
        try:
            return bool(self.marks(key))
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            return False  # missing, or truncated by a crash

    def _keep(self, key: str, marks: Marks) -> None:
        text = json.dumps({name: asdict(mark) for name, mark in marks.items()}, indent=1)
        write_whole(self._kept / f"{key}.json", text.encode())

    def marks(self, key: str) -> Marks:
        """Read the stored marks of a notebook, with the points of the current plan."""
        if key in self.failed:
            return self.failed[key]
        stored: dict[str, Any] = json.loads(
            (self._kept / f"{key}.json").read_text(encoding="utf-8")
        )
        lists = ("causes", "held")
        found = {n: Mark(**m | {name: tuple(m[name]) for name in lists}) for n, m in stored.items()}
        return {n: mark.worth(self.plan.points[n], self.plan.partial) for n, mark in found.items()}

    def key(self, chapter: Chapter, cells: list[str]) -> str:
        """Return a name for a result, made from everything that it depends on."""
        parts = (chapter.name, chapter.exercises, chapter.prelude, cells)
        return _digest(self._seal, json.dumps(parts))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _edition() -> str:
    """Return a digest of the packages and the grader, so that another edition grades again."""
    found = hashlib.sha256()
    for folder in (*PACKAGES.values(), Path(__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                name = path.relative_to(folder.parent).as_posix()
                found.update(name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _make_readable(folder: Path) -> None:
    """Let other users read a folder, because the sandbox runs as another user."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _show(line: str, end: str = "\r") -> None:
    """Replace the previous line on a terminal."""
    if sys.stderr.isatty():
        print(f"\x1b[2K{line}", end=end, file=sys.stderr, flush=True)
