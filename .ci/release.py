"""Make every form of the book, the wheel and the class release, and collect them.

`make release` runs this script. It tries to make all parts even if one fails. If none fails, it
puts the files into `_build/release`, together with SHA256SUMS. A release that is built from its tag
for a published book also contains its pages, which `collect_releases.py` publishes.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collect_releases import SITE, SUMS, TAG, checksum

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
OUT = BUILD / "release"
WHEELS = BUILD / "wheels"


@dataclass(frozen=True)
class Part:
    """One file of a release, and the command that makes it.

    Attributes:
        name: its description.
        command: the command that makes it, run in the project's folder.
        pattern: the pattern of its path below `_build`, which one file matches.
    """

    name: str
    command: tuple[str, ...]
    pattern: str


PARTS = [
    Part("the PDF", ("make", "pdf"), "press/*.pdf"),
    Part("the EPUB", ("make", "epub"), "press/*.epub"),
    Part("the deck for Anki", ("make", "anki"), "press/*.apkg"),
    Part("the book without a network", ("make", "offline"), "press/*offline*.zip"),
    # Only the students' part, because the other part contains the class's secret.
    Part("the class release", ("make", "class", "OUT=_build/class"), "class/students.zip"),
    Part(
        "the wheel",
        (sys.executable, "-m", "pip", "wheel", ".", "--no-deps", f"--wheel-dir={WHEELS}"),
        "wheels/*.whl",
    ),
]


def make(part: Part) -> Path:
    """Make one part and return its file; an older file is deleted first.

    Raises:
        RuntimeError: the command failed, or did not write exactly one file.
    """
    print(f"\n== {part.name}", flush=True)
    for path in BUILD.glob(part.pattern):
        path.unlink()
    code = subprocess.run(part.command, cwd=ROOT).returncode
    if code:
        raise RuntimeError(f"{' '.join(part.command)} ended with status {code}")
    found = [path.relative_to(BUILD).as_posix() for path in BUILD.glob(part.pattern)]
    if len(found) != 1:
        raise RuntimeError(f"_build/{part.pattern} must be one file, found {found}")
    return BUILD / found[0]


def pages() -> Path:
    """Build the book with its preview cards, and return its pages as one file."""
    print("\n== the pages", flush=True)
    if code := subprocess.run(("make", "cards"), cwd=ROOT).returncode:
        raise RuntimeError(f"make cards ended with status {code}")
    name = str(BUILD / SITE.removesuffix(".zip"))
    return Path(shutil.make_archive(name, "zip", BUILD / "html"))


def tag(environment: Mapping[str, str], version: str) -> str:
    """Return the tag that is built, or an empty text.

    Raises:
        ValueError: the tag does not belong to this version.
    """
    on_github = environment.get("GITHUB_REF_TYPE") == "tag"
    found = environment.get("BOOK_RELEASE") or environment.get("GITHUB_REF_NAME", "") * on_github
    if found and (found != f"v{version}" or not TAG.fullmatch(found)):
        raise ValueError(
            f"the tag must be v{version} after the version in pyproject.toml, got {found!r}"
        )
    return found


def write(files: list[Path]) -> None:
    """Put the files of a release together, with their checksums."""
    OUT.mkdir(parents=True)
    for path in files:
        shutil.copy(path, OUT)
    lines = [f"{checksum(path)}  {path.name}\n" for path in sorted(OUT.iterdir())]
    (OUT / SUMS).write_text("".join(lines), encoding="utf-8")


def main(environment: Mapping[str, str]) -> int:
    """Make the release; return how many of its parts failed."""
    shutil.rmtree(OUT, ignore_errors=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        release = tag(environment, project["version"])
    except ValueError as error:
        print(error)
        return 1
    published = release and environment.get("BOOK_URL")
    makers = [pages] if published else []
    files, problems = [], []
    for maker in [*makers, *(lambda part=part: make(part) for part in PARTS)]:
        try:
            files.append(maker())
        except RuntimeError as error:
            problems.append(str(error))
    if problems:
        print("\nThere is no release:", *problems, sep="\n  ")
        return len(problems)
    write(files)
    if not published:
        print(f"\nWithout BOOK_URL and a tag, no {SITE}: pages to publish next to newer ones.")
    print(f"\nThe release is in {OUT}:")
    for path in sorted(OUT.iterdir()):
        print(f"  {path.stat().st_size / 2**20:6.1f} MB  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
