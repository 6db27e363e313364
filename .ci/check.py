"""What `make check` runs: the style of what changed, and the tests that it may break.

Changed is what differs from the last commit, or from BASE, with files that git does not know yet.
First come the tests that stand for a file by their place, since tests/ has the same tree as the
package, then those that use it, the nearest first, as long as the minute lasts. It says what it
left out; `make test` leaves nothing out.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from changes import changed_files
from reach import project
from steps import NBVAL, ONE_THREAD, PLUGINS, ROOT, WORKERS

# What any change may break, and what is quick to ask.
ALWAYS = ["tests/test_imports.py", "tests/test_code_size.py", "tests/test_project.py"]
CHAPTER_RULES = [
    *("tests/notebooks/test_notebook_lint.py", "tests/notebooks/test_prose_numbers.py"),
    *("tests/notebooks/test_notation.py", "tests/book_extensions/test_moments.py"),
]
FIGURE_RULES = [
    *("tests/figures/test_figures.py", "tests/figures/test_figure_state.py"),
    "tests/figures/test_tours.py",
]
CI_RULES = [
    *("tests/test_check.py", "tests/test_steps.py", "tests/test_release.py"),
    *("tests/test_dependencies.py", "tests/book_extensions/test_versions.py"),
]
PAGE_RULES = ["tests/test_readme.py", "tests/test_api_page.py"]
TEXTS = {".py", ".md", ".ipynb", ".js", ".mjs", ".css", ".toml", ".yml"}
MESSAGES = "tests/test_checks.py"  # what each error says: quick, and far from most floors
SECONDS = 40  # after which no test begins, so that all ends within a minute
MOST = 40  # files of tests: to read them takes time too


@dataclass
class Plan:
    """What to run for some changes.

    Attributes:
        tests: files of tests, those first that stand for the changed files by their place.
        exercises: names of exercises, whose tests are picked by them.
    """

    tests: list[str] = field(default_factory=list)
    exercises: set[str] = field(default_factory=set)
    notebooks: set[str] = field(default_factory=set)
    node: set[str] = field(default_factory=set)
    untested: list[str] = field(default_factory=list)


def plan(names: Iterable[str]) -> Plan:
    """Find what tests each changed file."""
    found, reach, far = Plan(), project(), []
    own: set[str] = set()
    for name in names:
        path = PurePosixPath(name)
        if path.match("notebooks/*.ipynb"):
            found.notebooks |= existing([name])
            own |= existing(CHAPTER_RULES)
            continue
        if path.match("transformer_lite/exercises/*/[a-z]*.py"):
            found.exercises.add(path.stem)
            continue
        tests = existing(tests_of(path))
        if {"figures", "drills", "projector"} & {*path.parts[:2]}:
            found.node |= existing(node_tests_of(path))
        scripted = found.node and path.suffix in {".js", ".mjs", ".css"}
        if not (tests or scripted or any(reach.levels(name))):
            found.untested.append(name)
        own |= tests
        far.append(name)
    found.tests = sorted(own)
    reached = sorted(reach.tests(far, MOST), key=lambda test: test != MESSAGES)
    found.tests = together(found.tests + [test for test in reached if test not in own])
    return found


def together(tests: list[str]) -> list[str]:
    """Move files that share their folder's fixtures up to the first of them.

    Where a file of tests/ itself stands between two of them, pytest forgets the fixtures.
    """
    first: dict[Path, int] = {}
    places = {}
    for place, test in enumerate(tests):
        shared = Path(*Path(test).parts[:2], "conftest.py")
        found = first.setdefault(shared, place)
        places[test] = found if (ROOT / shared).exists() else place
    return sorted(tests, key=lambda test: places[test])


def tests_of(path: PurePosixPath) -> list[str]:
    """Return where the tests of a file stand, as patterns; some may not exist."""
    top, *rest = path.parts
    if top == "tests":
        return tests_of_test(path)
    if top == "transformer_lite":
        return tests_of_module(path)
    if top == "press":
        return ["tests/press/test_*.py"]
    if path.match("book/_ext/*.py"):
        return [f"tests/book_extensions/test_{path.stem}*.py"]
    if top in {".ci", "Makefile"}:
        return [*CI_RULES, "tests/test_readme.py"]
    if top in {".binder", ".devcontainer"}:
        return ["tests/test_environments.py"]
    if top in {"book", "README.md", "CONTRIBUTING.md"} and path.suffix == ".md":
        return PAGE_RULES
    return ["tests/test_project.py"] if not rest else []


def tests_of_test(path: PurePosixPath) -> list[str]:
    """Return a file of tests itself, or the tests of the figure that it describes."""
    if path.parts[1] == "book":
        return []  # they need the built book
    if path.name.startswith("test_"):
        return [str(path)]
    if path.parts[1] == "figures" and len(path.parts) > 3:
        return [*FIGURE_RULES, f"{path.parent}/test_*.py"]
    return []


def tests_of_module(path: PurePosixPath) -> list[str]:
    """Return the tests of a file of the package: layers/norms/rms.py has test_norms_rms.py."""
    _, *folders, name = path.parts
    doctests = [str(path)] if name.endswith(".py") else []
    if not folders:
        return [f"tests/test_{path.stem.strip('_')}*.py", *doctests, *PAGE_RULES[1:]]
    floor, *inner = folders
    if floor == "figures":
        own = f"tests/figures/{inner[0]}/test_*.py" if inner else ""
        return [*FIGURE_RULES, *([own] if own else [])]
    if floor in ("drills", "experiments"):
        return [f"tests/{floor}/test_*.py"]
    if inner[:1] == ["hidden"]:  # the grader's draws, which are loaded by their names
        return ["tests/classroom/test_hidden_cases.py"]
    words = "_".join([*inner, path.stem.strip("_")])
    return [f"tests/{floor}/test_{words}*.py", *doctests]


def node_tests_of(path: PurePosixPath) -> list[str]:
    """Return the tests under node of a figure's file; of the kit's, those of all figures.

    The drills are tested together, and so is the projector.
    """
    if path.parts[1] in ("drills", "projector"):
        return [f"tests/{path.parts[1]}/*.test.mjs"]
    folder = path.parts[2] if len(path.parts) > 3 else "*"
    return [f"tests/figures/{'*' if folder == 'kit' else folder}/*.test.mjs"]


def existing(patterns: Iterable[str]) -> set[str]:
    """Return the files behind the patterns."""
    return {path.relative_to(ROOT).as_posix() for name in patterns for path in ROOT.glob(name)}


def run(title: str, *command: str, **environment: str) -> bool:
    """Run a command and say how it went and how long it took."""
    print(f"\n== {title}", flush=True)
    start = time.monotonic()
    good = subprocess.run(command, cwd=ROOT, env=os.environ | environment).returncode == 0
    print(f"{'passed' if good else 'FAILED'} in {time.monotonic() - start:.1f} s", flush=True)
    return good


def lint(names: list[str]) -> list[bool]:
    """Check style and spelling of files."""
    python = [name for name in names if name.endswith(".py")]
    web = [name for name in names if Path(name).suffix in {".js", ".mjs", ".css"}]
    texts = [name for name in names if Path(name).suffix in TEXTS]
    results = []
    if python:
        results.append(run("style of Python", "ruff", "check", "-q", *python))
        results.append(run("format of Python", "ruff", "format", "--check", "-q", *python))
    if web:
        biome = ["npx", "--no-install", "biome", "ci", "--error-on-warnings", "--colors=off"]
        results.append(run("style of JavaScript", *biome, *web))
        results.append(run("types of JavaScript", "npm", "run", "--silent", "types"))
    if texts:
        results.append(run("spelling", "codespell", *texts))
    return results


def test(found: Plan, until: float) -> list[bool]:
    """Run the tests of a plan; after a time none begins."""
    told = ONE_THREAD | PLUGINS | {"CHECK_UNTIL": str(until)}
    command = [sys.executable, "-m", "pytest", "-q", *WORKERS, "--no-loadscope-reorder"]
    command += ["-p", "in_time"]
    paths = [*dict.fromkeys([*found.tests, *sorted(existing(ALWAYS))])]
    nbval = [*NBVAL, *sorted(found.notebooks)] if found.notebooks else []
    results = [run("tests", *command, *nbval, *paths, **told)]
    if found.exercises:
        picked = ["tests/exercises", "-k", " or ".join(sorted(found.exercises))]
        results.append(run("exercises", *command, *picked, **told))
    if found.node:
        numbers = str(ROOT / "_build/check.json")
        (ROOT / "_build").mkdir(exist_ok=True)
        write = [sys.executable, "tests/figures/fixtures.py", numbers]
        results.append(run("numbers for node", *write))
        compare = ["node", "--test", *sorted(found.node)]
        results.append(run("figures under node", *compare, FIGURE_FIXTURES=numbers))
    return results


def main(base: str) -> int:
    """Check what changed; print what ran and what did not."""
    start = time.monotonic()
    until = time.time() + SECONDS
    names = changed_files(base)
    if not names:
        print(f"Nothing differs from {base}.")
        return 0
    found = plan(names)
    print(f"{len(names)} files differ from {base}. Their tests:")
    print(*found.tests, *sorted(found.notebooks | found.exercises | found.node), sep="\n")
    with ThreadPoolExecutor(1) as pool:
        # The types of all files may have changed; the server remembers the others.
        python = any(name.endswith(".py") for name in names)
        dmypy = ["dmypy", "run", "--timeout", "3600"]
        types = pool.submit(run, "types of Python", *dmypy) if python else None
        good = [*lint([name for name in names if (ROOT / name).is_file()]), *test(found, until)]
        good += [types.result()] if types else []
    print("\nLeft out: the book's build, what the browser sees, and the tests of all other files.")
    if found.untested:
        print(f"Without a test here: {', '.join(found.untested)}")
    print(f"make check {'passed' if all(good) else 'FAILED'} in {time.monotonic() - start:.0f} s")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(os.environ.get("BASE") or "HEAD"))
