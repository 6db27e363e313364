"""Add the releases of the book to its newest state, each in a folder of its own.

A static host serves only the last publication, so each publication contains all releases. The pages
of a release are in its file `site.zip`, which `make release` wrote. This script unpacks them and
writes the list of versions that the pages read (`book/extensions/versions.py`).

Usage: python .ci/collect_releases.py FOLDER_OF_THE_BUILT_BOOK FOLDER_OF_RELEASES

FOLDER_OF_RELEASES contains a folder for each release, named by its tag, with `site.zip` and
`SHA256SUMS`. A release with missing or damaged files is left out, and the output says so.
"""

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

from packaging.version import Version

SITE = "site.zip"
SUMS = "SHA256SUMS"
LIST = "versions.json"
TAG = re.compile(r"v\d+(\.\d+){0,2}((a|b|rc)\d+)?")


class DamagedError(ValueError):
    """The exception for a release that cannot be published."""


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(release: Path, target: Path) -> None:
    """Unpack the pages of a release into a new folder.

    Raises:
        DamagedError: a file is missing, the checksum differs, or there is no first page.
    """
    site, sums = release / SITE, release / SUMS
    for path in (site, sums):
        if not path.is_file():
            raise DamagedError(f"it has no {path.name}")
    if f"{checksum(site)}  {SITE}" not in sums.read_text(encoding="utf-8").splitlines():
        raise DamagedError(f"{SITE} is not the file whose checksum {SUMS} holds")
    with zipfile.ZipFile(site) as pages:  # extracting writes nothing outside the folder
        if "index.html" not in pages.namelist():
            raise DamagedError("it has no index.html")
        pages.extractall(target)


def collect(book: Path, releases: Path) -> list[str]:
    """Add all intact releases to the book, newest first, and list them.

    Returns:
        Which releases were left out, and why.
    """
    problems = []
    [newest] = json.loads((book / LIST).read_text(encoding="utf-8"))[:1]
    folders = [path for path in releases.iterdir() if path.is_dir()] if releases.is_dir() else []
    named = [path for path in folders if TAG.fullmatch(path.name)]
    problems += [f"{path.name}: it is not a version" for path in sorted({*folders} - {*named})]
    names = []
    for folder in sorted(named, key=lambda path: Version(path.name), reverse=True):
        try:
            unpack(folder, book / folder.name)
            names.append(folder.name)
        except DamagedError as error:
            problems.append(f"{folder.name}: {error}")
    if f"v{newest['name']}" in names:
        newest["name"] += " with later changes"
    entries = [newest, *({"name": name[1:], "path": f"{name}/"} for name in names)]
    (book / LIST).write_text(f"{json.dumps(entries)}\n", encoding="utf-8")
    return problems


def main() -> None:
    """Collect the releases and print the list of versions."""
    book, releases = Path(sys.argv[1]), Path(sys.argv[2])
    if not (book / LIST).is_file():
        sys.exit(f"{book / LIST} is missing: build the book with its address in BOOK_URL")
    for problem in collect(book, releases):
        print(f"left out: {problem}")
    for entry in json.loads((book / LIST).read_text(encoding="utf-8")):
        print(f"{entry['name']}: /{entry['path']}")


if __name__ == "__main__":
    main()
