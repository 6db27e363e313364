"""Delete the caches of an earlier build if a file changed that Jupyter Book does not watch.

The execution cache notices a changed cell, but not a changed package. Sphinx reads a changed page
again, but not after a change of a stylesheet, the table of contents or the address of the book. A
figure's script does not change what a chapter prints: then the pages are written again, but no
chapter is run.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
HASHES = BUILD / "seen.json"
WATCHED = {
    "code": ["transformer_lite", "book/lessons", "requirements.lock"],
    "frame": [
        "transformer_lite",
        "book/lessons",
        *("_config.yml", "_toc.yml", "book/extensions", "book/static", "book/templates"),
        "book/references.bib",
    ],
}
# The environment variables for address and repository, which book/extensions/site_address.py reads.
ADDRESS_VARIABLES = (
    *("BOOK_URL", "BOOK_REPOSITORY", "BOOK_BRANCH", "BOOK_HUB", "BOOK_RELEASE"),
    *("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_REF_TYPE", "GITHUB_REF_NAME"),
    *("CI_PAGES_URL", "CI_PROJECT_URL", "CI_DEFAULT_BRANCH", "CI_COMMIT_TAG"),
)
# Files that only a page reads. Drawings contain the colors of these two stylesheets.
PAGE_SUFFIXES = (".js", ".css")
DRAWING_SHEETS = ("kit.css", "diagram.css")
OUTPUTS = {"code": [".jupyter_cache", ".doctrees", "html"], "frame": [".doctrees", "html"]}


def is_page_only(path: Path) -> bool:
    """Return whether only the pages read a file, and no kernel."""
    return path.suffix in PAGE_SUFFIXES and path.name not in DRAWING_SHEETS


def fingerprint(names: list[str], with_page_files: bool) -> str:
    """Hash the names and contents of all files below these paths."""
    digest = hashlib.sha256()
    for path in sorted(file for name in names for file in [ROOT / name, *(ROOT / name).rglob("*")]):
        if (
            "__pycache__" not in path.parts
            and path.is_file()
            and (with_page_files or not is_page_only(path))
        ):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def address_hash(environment: Mapping[str, str]) -> str:
    """Hash the environment variables for address and repository."""
    values = [environment.get(name, "") for name in ADDRESS_VARIABLES]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def main() -> None:
    """Compare with the last build, and delete what is out of date."""
    seen = json.loads(HASHES.read_text(encoding="utf-8")) if HASHES.exists() else {}
    now = {kind: fingerprint(names, kind == "frame") for kind, names in WATCHED.items()}
    now["frame"] += address_hash(os.environ)
    for kind in [kind for kind in now if now[kind] != seen.get(kind)]:
        for name in OUTPUTS[kind]:
            shutil.rmtree(BUILD / name, ignore_errors=True)
    BUILD.mkdir(exist_ok=True)
    HASHES.write_text(json.dumps(now), encoding="utf-8")


if __name__ == "__main__":
    main()
