"""The steps of `make test`: run each, time it, and end with what passed and what failed."""

import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "_build/test"
HTML = OUT / "_build/html"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A notebook is one kernel and a test file one browser: a worker gets whole files.
TWO_WORKERS = ["-n", "2", "--dist", "loadfile"]
# Two kernels with two threads each, or a neighbor on a core, and PyTorch's threads wait for each
# other for minutes. The tensors here are small: one thread is as fast.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout", "120"]


def run(*command: str | Path, **environment: str) -> bool:
    """Run a command in the project's folder, its output shown; say whether it succeeded."""
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment).returncode == 0


def pytest(report: str, *arguments: str, **environment: str) -> bool:
    """Run pytest, its counts kept in the report."""
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={OUT / report}.xml"]
    return run(*command, *arguments, **environment)


def package() -> bool:
    others = ("--ignore=tests/book", "--ignore=tests/notebooks")
    return pytest("package", *TWO_WORKERS, *others, **ONE_THREAD)


def notebook_rules() -> bool:
    return pytest("rules", "tests/notebooks")


def notebooks() -> bool:
    return pytest("notebooks", *NBVAL, *TWO_WORKERS, "notebooks", **ONE_THREAD)


def figures() -> bool:
    """The figures' mathematics under node, against numbers that the package writes first."""
    fixtures, report = OUT / "fixtures.json", OUT / "figures.xml"
    if not run(sys.executable, "tests/figures/fixtures.py", fixtures):
        return False
    spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"]
    junit = ["--test-reporter=junit", f"--test-reporter-destination={report}"]
    files = "tests/figures/*.test.mjs"
    return run("node", "--test", *spec, *junit, files, FIGURE_FIXTURES=str(fixtures))


def book() -> bool:
    """Build from nothing, each notebook executed, each warning an error; every page must exist."""
    options = ["--path-output", str(OUT), "-W", "-n", "--keep-going"]
    command = Path(sys.executable).with_name("jupyter-book")
    built = run(command, "build", ".", *options, **ONE_THREAD)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    entries = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    missing = [name for name in [toc["root"], *entries] if not (HTML / f"{name}.html").exists()]
    if missing:
        print(f"pages that were not built: {', '.join(missing)}")
    return built and not missing


def browser() -> bool:
    """The built pages in a real Chromium."""
    if not any(map(shutil.which, CHROMIUMS)):
        print("No Chromium or Chrome is installed. Asking Playwright to fetch one.", flush=True)
        if not run(sys.executable, "-m", "playwright", "install", "chromium"):
            print("That failed. Install Chromium or Chrome, then run make test again.")
            return False
    return pytest("browser", *TWO_WORKERS, "tests/book")


def count() -> tuple[int, int]:
    """Add up the tests that passed and failed in all reports."""
    cases = [case for path in OUT.glob("*.xml") for case in ET.parse(path).iter("testcase")]
    failed = [case for case in cases if case.find("failure") is not None]
    failed += [case for case in cases if case.find("error") is not None]
    skipped = [case for case in cases if case.find("skipped") is not None]
    return len(cases) - len(failed) - len(skipped), len(failed)


def main(steps: list[Callable[[], bool]]) -> int:
    """Run all steps, also after one has failed, and print the summary."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    lines, broken, began = [], 0, time.monotonic()
    for step in steps:
        print(f"\n== {step.__name__}", flush=True)
        start = time.monotonic()
        good = step()
        broken += not good
        verdict = "passed" if good else "FAILED"
        lines.append(f"  {step.__name__:<16} {verdict}  {time.monotonic() - start:6.1f} s")
    passed, failed = count()
    # A step can fail without a failed test: a build with warnings, a crash.
    failed = max(failed, broken)
    print("\nSummary", *lines, sep="\n")
    closing = f"{passed} passed, {failed} failed in {time.monotonic() - began:.2f}s"
    (OUT / "closing.txt").write_text(f"===== {closing} =====\n", encoding="utf-8")
    print(f"\n===== {closing} =====")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main([package, notebook_rules, notebooks, figures, book, browser]))
