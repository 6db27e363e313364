"""The facts that every form of the book states: title, authors, version, date and address."""

from __future__ import annotations

import datetime
import os
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Facts:
    """The facts on the cover.

    Attributes:
        title: the title of the book.
        author: the authors as one text.
        date: the date of the printed commit; today if git does not say.
        version: the version of the package, which is also that of a release.
        address: the address of the published book with a trailing slash, or an empty text.
    """

    title: str
    author: str
    date: datetime.date
    version: str
    address: str = ""

    @property
    def day(self) -> str:
        """Return the date in words: "22 November 2026"."""
        return f"{self.date.day} {self.date:%B %Y}"


def facts_of(root: Path = ROOT) -> Facts:
    """Read the facts from the project's files, git and the environment."""
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    # The build of the pages refuses an invalid address.
    url = os.environ.get("BOOK_URL") or os.environ.get("CI_PAGES_URL", "")
    return Facts(
        title=config["title"],
        author=config["author"],
        date=date_of(root),
        version=project["version"],
        address=url and f"{url.rstrip('/')}/",
    )


def date_of(root: Path) -> datetime.date:
    """Return the date of the last commit; today without git or outside a clone."""
    if not shutil.which("git"):
        return datetime.date.today()
    command = ["git", "log", "-1", "--format=%cs"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    day = done.stdout.strip()
    return datetime.date.fromisoformat(day) if day else datetime.date.today()
