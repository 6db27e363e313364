"""What `make check` runs: the style of what changed, and the tests that stand for it.

Changed is what differs from the last commit, or from BASE, with files that git does not know yet.
The tests are found by their place: tests/ has the same tree as the package. It says what it left
out; `make test` leaves nothing out.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from steps import NBVAL, ONE_THREAD, PLUGINS, ROOT

# What any change may break, and what is quick to ask.
ALWAYS = ["tests/test_imports.py", "tests/test_code_size.py", "tests/test_project.py"]
CHAPTER_RULES = ["tests/notebooks/test_notebook_lint.py", "tests/notebooks/test_prose_numbers.py"]
FIGURE_RULES = ["tests/figures/test_figures.py", "tests/figures/test_figure_state.py"]
CI_RULES = [
    *("tests/test_check.py", "tests/test_steps.py", "tests/test_release.py"),
    *("tests/test_dependencies.py", "tests/book_extensions/test_versions.py"),
]
PAGE_RULES = ["tests/test_readme.py", "tests/test_api_page.py"]
TEXTS = {".py", ".md", ".ipynb", ".js", ".mjs", ".css", ".toml", ".yml"}


@dataclass
class Plan:
    """What to run for some changes."""

    tests: set[str] = field(default_factory=set)
    notebooks: set[str] = field(default_factory=set)
    node: set[str] = field(default_factory=set)
    untested: list[str] = field(default_factory=list)


def changed_files(base: str) -> list[str]:
    """Return the files that differ from a commit, deleted ones too, and the new ones."""
    changed = ["git", "diff", "--name-only", "--no-renames", "-z", base]
    new = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    output = "".join(
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for command in (changed, new)
    )
    return sorted(set(output.split("\0")) - {""})


def plan(names: Iterable[str]) -> Plan:
    """Find what tests each changed file."""
    found = Plan()
    for name in names:
        path = PurePosixPath(name)
        if path.match("notebooks/*.ipynb"):
            found.notebooks |= existing([name])
            found.tests |= existing(CHAPTER_RULES)
            continue
        tests = existing(tests_of(path))
        if {"figures", "drills", "projector"} & {*path.parts[:2]}:
            found.node |= existing(node_tests_of(path))
        if not tests and not (found.node and path.suffix in {".js", ".mjs", ".css"}):
            found.untested.append(name)
        found.tests |= tests
    return found


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
        return ["tests/book_extensions/test_*.py"]
    if top in {".ci", "Makefile"}:
        return [*CI_RULES, "tests/test_readme.py"]
    if top in {".binder", ".devcontainer"}:
        return ["tests/test_environments.py"]
    if top in {"book", "README.md", "CONTRIBUTING.md"} and path.suffix == ".md":
        return PAGE_RULES
    return ["tests/test_project.py"] if not rest else []


def tests_of_test(path: PurePosixPath) -> list[str]:
    """Return a file of tests itself, or the tests that share what it holds."""
    if path.parts[1] == "book":
        return []  # they need the built book
    if path.name.startswith("test_"):
        return [str(path)]
    if path.parts[1] == "figures" and len(path.parts) > 3:
        return [*FIGURE_RULES, f"{path.parent}/test_*.py"]
    words = (f"import {path.stem}", f"from {path.stem} import")
    tests = (test for test in ROOT.glob("tests/**/test_*.py") if "book" not in test.parts)
    users = [test for test in tests if any(word in test.read_text("utf-8") for word in words)]
    return [test.relative_to(ROOT).as_posix() for test in users]


def tests_of_module(path: PurePosixPath) -> list[str]:
    """Return the tests of a file of the package: layers/norms/rms.py has test_norms_rms.py."""
    _, *folders, name = path.parts
    if not folders:
        return [f"tests/test_{path.stem.strip('_')}*.py", str(path), *PAGE_RULES[1:]]
    floor, *inner = folders
    if floor == "figures":
        own = f"tests/figures/{inner[0]}/test_*.py" if inner else ""
        return [*FIGURE_RULES, *([own] if own else [])]
    if floor in {"drills", "exercises", "worked_examples"}:
        return [f"tests/{floor}/test_*.py"]
    own = f"tests/{floor}/test_{'_'.join([*inner, path.stem])}*.py"
    tests = [own] if existing([own]) else [f"tests/{floor}/test_*.py"]
    return [*tests, *([str(path)] if name.endswith(".py") else [])]


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
    """Check style and spelling of files, and the types of all files if some may have changed."""
    python = [name for name in names if name.endswith(".py")]
    web = [name for name in names if Path(name).suffix in {".js", ".mjs", ".css"}]
    texts = [name for name in names if Path(name).suffix in TEXTS]
    results = []
    if python:
        results.append(run("style of Python", "ruff", "check", "-q", *python))
        results.append(run("format of Python", "ruff", "format", "--check", "-q", *python))
        results.append(run("types of Python", "mypy"))
    if web:
        biome = ["npx", "--no-install", "biome", "ci", "--error-on-warnings", "--colors=off"]
        results.append(run("style of JavaScript", *biome, *web))
        results.append(run("types of JavaScript", "npm", "run", "--silent", "types"))
    if texts:
        results.append(run("spelling", "codespell", *texts))
    return results


def test(found: Plan) -> list[bool]:
    """Run the tests of a plan."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile"]
    paths = sorted({*found.tests, *existing(ALWAYS)})
    nbval = [*NBVAL, *sorted(found.notebooks)] if found.notebooks else []
    results = [run("tests", *command, *nbval, *paths, **ONE_THREAD, **PLUGINS)]
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
    names = changed_files(base)
    if not names:
        print(f"Nothing differs from {base}.")
        return 0
    found = plan(names)
    print(f"{len(names)} files differ from {base}. Their tests:")
    print(*sorted(found.tests | found.notebooks | found.node), sep="\n")
    good = all([*lint([name for name in names if (ROOT / name).is_file()]), *test(found)])
    print("\nLeft out: the book's build, what the browser sees, and the tests of all other files.")
    if found.untested:
        print(f"Without a test here: {', '.join(found.untested)}")
    print(f"make check {'passed' if good else 'FAILED'} in {time.monotonic() - start:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(os.environ.get("BASE") or "HEAD"))
