"""Report on the packages that the book is built from, without changing anything.

The report says which pins are outdated, which installed versions have known vulnerabilities,
whether the newest allowed versions are compatible, and what could not be determined.

Usage: pip install -r requirements-report.txt, then python .ci/dependencies.py REPORT.md
"""

import datetime
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
DRY = ["install", "--dry-run", "--ignore-installed", "--quiet"]
TIMEOUT = 600  # seconds for one query of the index
Versions = dict[str, str]


class UnknownError(RuntimeError):
    """The exception for a tool that gave no answer; the message is the end of its output."""


def ask(*command: str | Path) -> tuple[int, str]:
    """Run a module of Python; return its status and what it printed.

    Raises:
        UnknownError: it took too long.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", *command], capture_output=True, text=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired as error:
        raise UnknownError(f"no answer after {TIMEOUT} seconds") from error
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return done.returncode, done.stdout if done.stdout.strip() else "\n".join(lines)


def resolve(*arguments: str) -> Versions:
    """Return what pip would install, by name.

    Raises:
        UnknownError: pip would install nothing; the message says why.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        code, said = ask("pip", *DRY, "--report", str(report), *arguments)
        if code:
            raise UnknownError(said or f"pip ended with status {code}")
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    packages = (item["metadata"] for item in found)
    return {canonicalize_name(item["name"]): item["version"] for item in packages}


def pins() -> Versions:
    """Return the versions in the requirements files."""
    found: Versions = {}
    for path in sorted(ROOT.glob("requirements*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "==" in line and not line.startswith(("#", "-")):
                name, _, version = line.rstrip(" \\").partition("==")
                found[canonicalize_name(name)] = version
    return found


def locked() -> Versions:
    """Return the versions in the lock files, dependencies of the pins included."""
    lines = [
        line.partition(" ")[0].partition("==")
        for path in sorted(ROOT.glob("requirements*.lock"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith(" ")
    ]
    return {canonicalize_name(name): version for name, _, version in lines}


def ranges(names: Iterable[str]) -> list[str]:
    """Return these packages with the versions that the project allows, if it restricts them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"]]
    asked += [line for group in project["optional-dependencies"].values() for line in group]
    allowed: dict[str, str] = {}
    for line in asked:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        both = [allowed.get(name, ""), str(requirement.specifier)]
        allowed[name] = ",".join(filter(None, both))
    return [name + allowed.get(name, "") for name in sorted(names)]


def audit(versions: Versions) -> list[dict]:
    """Return the result of pip-audit for each package.

    Raises:
        UnknownError: it gave no result.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.writelines(f"{name}=={version}\n" for name, version in sorted(versions.items()))
        file.flush()
        options = ["--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
        _, said = ask("pip_audit", *options, "--requirement", file.name)
    try:
        return json.loads(said)["dependencies"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UnknownError(said.strip() or "pip-audit gave no answer") from error


def judged(packages: list[dict]) -> list[str]:
    """Report the known vulnerabilities, and the packages that were not looked up.

    Args:
        packages: as pip-audit lists them, each with `vulns` or a `skip_reason`.

    Raises:
        UnknownError: no package was looked up.
    """
    skipped = sorted(package["name"] for package in packages if "skip_reason" in package)
    if len(skipped) == len(packages):
        raise UnknownError(f"none of {len(packages)} packages could be looked up")
    rows = [
        (package["name"], package["version"], fault["id"], ", ".join(fault["fix_versions"]))
        for package in packages
        for fault in package.get("vulns", [])
    ]
    lines = table(["package", "installed", "fault", "mended in"], rows)
    lines = lines if rows else [f"None in {len(packages) - len(skipped)} packages."]
    return [*lines, "", f"Not looked up: {', '.join(skipped)}."] if skipped else lines


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return a table in Markdown; an empty cell becomes a dash."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    return ["| " + " | ".join(cell or "–" for cell in line) + " |" for line in lines]


def behind(pinned: Versions) -> list[str]:
    """Report which pins are older than the newest version of their package."""
    newest = resolve("--no-deps", *pinned)
    rows = [
        (name, version, newest.get(name, ""))
        for name, version in sorted(pinned.items())
        if name not in newest or Version(newest[name]) > Version(version)
    ]
    if not rows:
        return [f"All {len(pinned)} pins name the newest version."]
    head = f"{len(rows)} of {len(pinned)} pins."
    return [head, "", *table(["package", "pinned", "newest"], rows)]


def faults(pinned: Versions) -> list[str]:
    """Report known vulnerabilities in the pinned packages and their dependencies."""
    return judged(audit(pinned | locked()))


def together(pinned: Versions) -> list[str]:
    """Report which newest versions can be installed together."""
    taken = resolve(*ranges(pinned))
    rows = [
        (name, version, taken[name])
        for name, version in sorted(pinned.items())
        if Version(taken[name]) != Version(version)
    ]
    head = f"Yes, {len(taken)} packages with all that they bring along."
    moved = table(["package", "pinned", "would become"], rows)
    return [head, "", *moved] if rows else [head]


def main(path: Path) -> int:
    """Write the report; return how many of its questions are unanswered."""
    pinned, unknown = pins(), 0
    lines = [f"# Dependencies on {datetime.date.today()}"]
    questions = {
        "Behind": behind,
        "Known faults": faults,
        "Do the newest allowed versions go together?": together,
    }
    for title, answer in questions.items():
        lines += ["", f"## {title}", ""]
        try:
            lines += answer(pinned)
        except UnknownError as error:
            unknown += 1
            lines += ["Not found out:", "", "```text", *str(error).splitlines()[-20:], "```"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path}: written, {unknown} of {len(questions)} questions open")
    return unknown


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
