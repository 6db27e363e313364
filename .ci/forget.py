"""Drop what an earlier build kept, when something changed that Jupyter Book does not look at.

The execution cache sees a changed cell, not a changed package; Sphinx reads a changed page again,
but not for another stylesheet, another table of contents or another address of the book. A figure's
script changes nothing that a chapter prints: for that the pages are written again, and no chapter
is run.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
SEEN = BUILD / "seen.json"
WATCHED = {
    "code": ["transformer_lite", "book/lessons", "requirements.lock"],
    "frame": [
        "transformer_lite",
        "book/lessons",
        *("_config.yml", "_toc.yml", "book/extensions", "book/static", "book/templates"),
        "book/references.bib",
    ],
}
# What the environment says about address and repository: book/extensions/site_address.py reads it.
TOLD = (
    *("BOOK_URL", "BOOK_REPOSITORY", "BOOK_BRANCH", "BOOK_HUB", "BOOK_RELEASE"),
    *("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_REF_TYPE", "GITHUB_REF_NAME"),
    *("CI_PAGES_URL", "CI_PROJECT_URL", "CI_DEFAULT_BRANCH", "CI_COMMIT_TAG"),
)
# What only a page reads. Drawings hold the other two stylesheets' colors.
SHOWN = (".js", ".css")
DRAWN = ("kit.css", "diagram.css")
DROPPED = {"code": [".jupyter_cache", ".doctrees", "html"], "frame": [".doctrees", "html"]}


def is_shown(path: Path) -> bool:
    """Return whether only a page reads a file, and no kernel."""
    return path.suffix in SHOWN and path.name not in DRAWN


def fingerprint(names: list[str], shown: bool) -> str:
    """Hash the names and contents of all files below the named ones, with what is shown or not."""
    digest = hashlib.sha256()
    for path in sorted(file for name in names for file in [ROOT / name, *(ROOT / name).rglob("*")]):
        if "__pycache__" not in path.parts and path.is_file() and (shown or not is_shown(path)):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def addresses(environment: Mapping[str, str]) -> str:
    """Hash what the builder says about address and repository."""
    told = [environment.get(name, "") for name in TOLD]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def main() -> None:
    """Compare with the last build, and drop what is out of date."""
    seen = json.loads(SEEN.read_text(encoding="utf-8")) if SEEN.exists() else {}
    now = {kind: fingerprint(names, kind == "frame") for kind, names in WATCHED.items()}
    now["frame"] += addresses(os.environ)
    for kind in [kind for kind in now if now[kind] != seen.get(kind)]:
        for name in DROPPED[kind]:
            shutil.rmtree(BUILD / name, ignore_errors=True)
    BUILD.mkdir(exist_ok=True)
    SEEN.write_text(json.dumps(now), encoding="utf-8")


if __name__ == "__main__":
    main()
