"""The steps of `make test`: run each, time it, and end with what passed and what failed.

Each chapter runs once: nbval compares what it prints, and the book is built from that same run.

Usage: python .ci/steps.py [STEP ...]: all of them, or those that are named
"""

import contextvars
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

import yaml
from jupyter_cache import get_cache

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build/test"
HTML = OUT / "_build/html"
# Where Jupyter Book keeps what it has executed, and finds what nbval has.
RUNS = OUT / "_build/.jupyter_cache"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A notebook is one kernel: a worker gets whole files, or what shares something dear. Of the book it
# gets whole pages.
WORKERS = ["-n", str(max(2, len(os.sched_getaffinity(0)))), "--dist", "loadgroup"]
# Two kernels with two threads each, or a neighbor on a core, and PyTorch's threads wait for each
# other for minutes. The tensors here are small: one thread is as fast.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
WHOLE = {"WHOLE_SUITE": "1"}  # dear files of tests have their day
NBVAL = ["-p", "nbval", "--nbval", "--nbval-current-env", "--nbval-cell-timeout", "240"]
NBVAL += ["-p", "kept_runs"]
FOLDERS = [str(ROOT / "tests/notebooks"), str(ROOT / ".ci"), os.environ.get("PYTHONPATH", "")]
PLUGINS = {"PYTHONPATH": os.pathsep.join(filter(None, FOLDERS))}
# These tests of the browser need no built book.
WITHOUT_BOOK = [
    "tests/book/test_jupyterlab.py",
    "tests/book/test_figure_assets.py",
    "tests/book/test_drills_live.py",
    "tests/book/test_versions_live.py",
]

NIGHTLY = os.environ.get("NIGHTLY") == "1"

Step = Callable[[], bool]
Stage = tuple[Step, ...]
shown: contextvars.ContextVar[IO[str] | None] = contextvars.ContextVar("shown", default=None)


def run(*command: str | Path, **environment: str) -> bool:
    """Run a command in the project's folder, its output shown; say whether it succeeded."""
    env, out = os.environ | environment, shown.get()
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)
    return done.returncode == 0


def pytest(report: str, *arguments: str | Path, **environment: str) -> bool:
    """Run pytest, its counts kept in the report."""
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={OUT / report}.xml"]
    return run(*command, *arguments, **ONE_THREAD, **WHOLE, **environment)


def python() -> bool:
    """The package, the chapters' rules, and the chapters themselves, which run and are kept."""
    kept = [*NBVAL, f"--keep-runs={RUNS}"]
    places = ["notebooks", "tests", "transformer_lite", "--ignore=tests/book"]
    return pytest("python", *WORKERS, *kept, *places, **PLUGINS)


def figures() -> bool:
    """The mathematics of figures and drills under node; the package writes numbers for it first."""
    fixtures, report = OUT / "fixtures.json", OUT / "figures.xml"
    if not run(sys.executable, "tests/figures/fixtures.py", fixtures):
        return False
    spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"]
    junit = ["--test-reporter=junit", f"--test-reporter-destination={report}"]
    folders = ["figures/*", "drills", "projector", "review"]
    files = [f"tests/{folder}/*.test.mjs" for folder in folders]
    return run("node", "--test", *spec, *junit, *files, FIGURE_FIXTURES=str(fixtures))


def book() -> bool:
    """Build from what ran, each warning an error; every page must exist.

    Without the step `python` the chapters run here, and nothing compares what they show.
    """
    if not (OUT / "python.xml").exists():
        run(sys.executable, ".ci/run_chapters.py", OUT / "_build")
    options = ["--path-output", str(OUT), "-W", "--keep-going"]
    command = Path(sys.executable).with_name("jupyter-book")
    built = run(command, "build", ".", *options, **ONE_THREAD)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    entries = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    missing = [name for name in [toc["root"], *entries] if not (HTML / f"{name}.html").exists()]
    if missing:
        print(f"pages that were not built: {', '.join(missing)}")
    ran = [Path(record.uri) for record in get_cache(RUNS).list_project_records()]
    again = sorted(path.name for path in ran if path.suffix == ".ipynb")
    if again:
        print(f"chapters that ran again, so that nothing compared what they show: {again}")
    return built and not missing and not again


def jupyterlab() -> bool:
    """What the browser sees without the book: JupyterLab, and two small books of their own."""
    return pytest("jupyterlab", *WITHOUT_BOOK)


def browser() -> bool:
    """The built pages in a real Chromium."""
    others = [f"--ignore={path}" for path in WITHOUT_BOOK]
    return pytest("browser", *WORKERS, "tests/book", *others)


def paper() -> bool:
    """The whole book as a PDF, which finds a lost bookmark, link or font; at night."""
    return run(sys.executable, "press/pdf.py", HTML, OUT / "book.pdf")


def has_chromium() -> bool:
    """Have Playwright fetch a Chromium if none is installed; say what is left out without one."""
    if any(map(shutil.which, CHROMIUMS)):
        return True
    print("No Chromium or Chrome is installed. Asking Playwright to fetch one.", flush=True)
    if run(sys.executable, "-m", "playwright", "install", "chromium"):
        return True
    print("None came. The steps jupyterlab and browser are left out: install chromium for them.")
    return False


def count(names: Iterable[str]) -> tuple[int, int]:
    """Add up the tests that passed and failed in the reports of these steps."""
    reports = [path for name in names if (path := OUT / f"{name}.xml").exists()]
    cases = [case for path in reports for case in ET.parse(path).iter("testcase")]
    failed = [case for case in cases if case.find("failure") is not None]
    failed += [case for case in cases if case.find("error") is not None]
    skipped = [case for case in cases if case.find("skipped") is not None]
    return len(cases) - len(failed) - len(skipped), len(failed)


def timed(step: Step) -> tuple[bool, float]:
    """Run a step; return whether it succeeded and how long it took."""
    print(f"\n== {step.__name__}", flush=True)
    start = time.monotonic()
    good = step()
    return good, time.monotonic() - start


def aside(step: Step) -> tuple[bool, float]:
    """Run a step while others have the screen, and show what it said in one piece."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        shown.set(said)
        start = time.monotonic()
        good = step()
        took = time.monotonic() - start
        said.seek(0)
        print(f"\n== {step.__name__}", said.read(), sep="\n", flush=True)
    return good, took


def only(wanted: Callable[[Step], bool], stages: list[Stage]) -> list[Stage]:
    """Return the stages with the steps that are wanted, without those that have none."""
    kept = [tuple(filter(wanted, stage)) for stage in stages]
    return [stage for stage in kept if stage]


def chosen(names: list[str], stages: list[Stage]) -> list[Stage]:
    """Return the stages with these steps alone; all steps, if no name is given.

    Raises:
        ValueError: a name is that of no step.
    """
    known = [step.__name__ for stage in stages for step in stage]
    if strange := [name for name in names if name not in known]:
        raise ValueError(f"steps must be among {', '.join(known)}, got {', '.join(strange)}")
    return only(lambda step: step.__name__ in (names or known), stages)


def without_browser(stages: list[Stage]) -> list[Stage]:
    """Leave out what needs a browser if there is none; CI must have one."""
    seen = {jupyterlab, browser, paper} & {step for stage in stages for step in stage}
    if not seen or has_chromium() or os.environ.get("CI"):
        return stages
    return only(lambda step: step not in seen, stages)


def prepare(stages: list[Stage], everything: bool) -> None:
    """Drop what an earlier run left: all of it, or the reports of these steps."""
    if everything:
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    for stage in stages:
        for step in stage:
            (OUT / f"{step.__name__}.xml").unlink(missing_ok=True)


def main(stages: list[Stage], everything: bool = True) -> int:
    """Run all steps, also after one has failed, and print the summary.

    A stage is one step, and others that begin with it and go on beside it and what comes after.
    """
    prepare(stages, everything)
    began = time.monotonic()
    results: dict[str, tuple[bool, float]] = {}
    with ThreadPoolExecutor(1) as pool:
        beside: dict[str, Future] = {}
        for first, *others in stages:
            for step in others:
                beside[step.__name__] = pool.submit(contextvars.copy_context().run, aside, step)
            results[first.__name__] = timed(first)
        results |= {name: future.result() for name, future in beside.items()}
    lines = [
        f"  {name:<16} {'passed' if good else 'FAILED'}  {took:6.1f} s"
        for name, (good, took) in results.items()
    ]
    broken = sum(not good for good, _ in results.values())
    passed, failed = count(results)
    # A step can fail without a failed test: a build with warnings, a crash.
    failed = max(failed, broken)
    print("\nSummary", *lines, sep="\n")
    took = time.monotonic() - began
    closing = f"{passed} passed, {failed} failed in {took:.2f}s"
    (OUT / "closing.txt").write_text(f"===== {closing} =====\n", encoding="utf-8")
    if NIGHTLY:
        steps = {name: {"passed": good, "seconds": round(s)} for name, (good, s) in results.items()}
        record = {"day": str(datetime.date.today()), "passed": passed, "failed": failed}
        record |= {"seconds": round(took), "steps": steps}
        (OUT / "nightly.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"\n===== {closing} =====")
    return 1 if broken else 0


STAGES: list[Stage] = [(python,), (book, figures, jupyterlab), (browser,)]
STAGES += [(paper,)] * NIGHTLY

if __name__ == "__main__":
    try:
        asked = chosen(sys.argv[1:], STAGES)
    except ValueError as error:
        sys.exit(str(error))
    sys.exit(main(without_browser(asked), everything=not sys.argv[1:]))
