"""Put the releases of the book beside its newest state, each in a folder of its own.

A static host keeps what the last publication brought, so each publication brings them all. A
release keeps its pages as a file of its own, `site.zip`, which `make release` wrote; here they are
unpacked, and the list that the pages read is written (`book/extensions/versions.py`).

Usage: python .ci/gather.py FOLDER_OF_THE_BUILT_BOOK FOLDER_OF_RELEASES

FOLDER_OF_RELEASES holds a folder for each release, named by its tag, with `site.zip` and
`SHA256SUMS`. A release whose files are missing or damaged is left out, and the output says so.
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
    """A release that cannot be published as it is."""


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(release: Path, target: Path) -> None:
    """Unpack the pages of a release into a new folder.

    Raises:
        DamagedError: a file is missing, or the checksum is another one, or there is no first page.
    """
    site, sums = release / SITE, release / SUMS
    for path in (site, sums):
        if not path.is_file():
            raise DamagedError(f"it has no {path.name}")
    if f"{checksum(site)}  {SITE}" not in sums.read_text(encoding="utf-8").splitlines():
        raise DamagedError(f"{SITE} is not the file whose checksum {SUMS} holds")
    with zipfile.ZipFile(site) as pages:  # which writes nothing outside the folder
        if "index.html" not in pages.namelist():
            raise DamagedError("it has no index.html")
        pages.extractall(target)


def gather(book: Path, releases: Path) -> list[str]:
    """Put all sound releases into the book, newest first, and list them.

    Returns:
        what was left out, and why.
    """
    problems = []
    [newest] = json.loads((book / LIST).read_text(encoding="utf-8"))[:1]
    folders = [path for path in releases.iterdir() if path.is_dir()] if releases.is_dir() else []
    named = [path for path in folders if TAG.fullmatch(path.name)]
    problems += [f"{path.name}: it is no version" for path in sorted({*folders} - {*named})]
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
    """Gather, and say what stands beside the newest book."""
    book, releases = Path(sys.argv[1]), Path(sys.argv[2])
    if not (book / LIST).is_file():
        sys.exit(f"{book / LIST} is missing: build the book with its address in BOOK_URL")
    for problem in gather(book, releases):
        print(f"left out: {problem}")
    for entry in json.loads((book / LIST).read_text(encoding="utf-8")):
        print(f"{entry['name']}: /{entry['path']}")


if __name__ == "__main__":
    main()
