"""Releases are published next to the newest book; damaged ones are left out."""

import hashlib
import json
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from site_address import RELEASE, release, repository
from sphinx.errors import ConfigError

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / ".ci/collect_releases.py"
INDEX = {"index.html": "here"}


def newest(tmp_path: Path, name: str = "0.2.0") -> Path:
    """A built book, as far as the script looks at it."""
    book = tmp_path / "book"
    book.mkdir(exist_ok=True)
    text = json.dumps([{"name": name, "path": ""}])
    (book / "versions.json").write_text(text, encoding="utf-8")
    return book


def released(tmp_path: Path, tag: str, files: dict[str, str]) -> Path:
    """A release, as a host of releases keeps it."""
    folder = tmp_path / "releases" / tag
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "site.zip", "w") as pages:
        for name, text in files.items():
            pages.writestr(name, text)
    digest = hashlib.sha256((folder / "site.zip").read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  site.zip\n0  other.pdf\n", encoding="utf-8")
    return folder


def gather(tmp_path: Path, book: Path) -> tuple[list[dict[str, str]], str]:
    """The list that the script writes, and what it says."""
    command = [sys.executable, SCRIPT, book, tmp_path / "releases"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads((book / "versions.json").read_text(encoding="utf-8")), done.stdout


def test_releases_are_copied_and_listed_from_newest_to_oldest(tmp_path):
    for tag in ("v0.9.0", "v0.10.0", "v0.10.0rc1"):
        released(tmp_path, tag, INDEX | {"a/b.html": tag})
    book = newest(tmp_path, "0.11.0")
    versions, said = gather(tmp_path, book)
    paths = ["", "v0.10.0/", "v0.10.0rc1/", "v0.9.0/"]
    assert [entry["path"] for entry in versions] == paths
    assert [entry["name"] for entry in versions] == ["0.11.0", "0.10.0", "0.10.0rc1", "0.9.0"]
    assert (book / "v0.10.0/a/b.html").read_text() == "v0.10.0"
    assert "left out" not in said


def test_the_newest_book_is_distinguished_from_the_release_of_its_version(tmp_path):
    released(tmp_path, "v0.2.0", INDEX)
    versions, _ = gather(tmp_path, newest(tmp_path))
    assert [entry["name"] for entry in versions] == ["0.2.0 with later changes", "0.2.0"]


def test_a_book_without_releases_is_the_only_version(tmp_path):
    assert gather(tmp_path, newest(tmp_path))[0] == [{"name": "0.2.0", "path": ""}]


def test_damaged_releases_and_other_folders_are_left_out(tmp_path):
    released(tmp_path, "v0.1.0", INDEX)
    with (released(tmp_path, "v0.1.1", INDEX) / "site.zip").open("ab") as file:
        file.write(b"more")
    (released(tmp_path, "v0.1.2", INDEX) / "SHA256SUMS").unlink()
    (released(tmp_path, "v0.1.3", INDEX) / "site.zip").unlink()
    released(tmp_path, "v0.1.4", {"page.html": ""})
    released(tmp_path, "latest", INDEX)
    versions, said = gather(tmp_path, newest(tmp_path))
    assert [entry["path"] for entry in versions] == ["", "v0.1.0/"]
    for line in (
        "v0.1.1: site.zip is not the file whose checksum SHA256SUMS holds",
        "v0.1.2: it has no SHA256SUMS",
        "v0.1.3: it has no site.zip",
        "v0.1.4: it has no index.html",
        "latest: it is not a version",
    ):
        assert f"left out: {line}" in said


def test_a_book_without_an_address_is_refused(tmp_path):
    (tmp_path / "book").mkdir()
    command = [sys.executable, SCRIPT, tmp_path / "book", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode and "build the book with its address in BOOK_URL" in done.stderr


def test_the_build_and_the_script_use_the_same_tag_pattern():
    assert runpy.run_path(str(SCRIPT))["TAG"].pattern == RELEASE.pattern


@pytest.mark.parametrize(
    ("environment", "tag"),
    [
        ({}, ""),
        ({"GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "v1.0.0"}, ""),
        ({"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1.0.0"}, "v1.0.0"),
        ({"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "before-class"}, ""),
        ({"CI_COMMIT_TAG": "v2.0rc1"}, "v2.0rc1"),
        ({"BOOK_RELEASE": "v3"}, "v3"),
    ],
)
def test_a_build_from_a_version_tag_is_a_release(environment, tag):
    assert release(environment) == tag
    source = repository(environment | {"BOOK_REPOSITORY": "https://github.com/ana/book"})
    if tag:
        assert source.branch == tag


@pytest.mark.parametrize("given", ["1.0.0", "v1/..", "v1.0.0\n", "latest"])
def test_a_release_name_that_is_not_a_version_is_refused(given):
    with pytest.raises(ConfigError, match="BOOK_RELEASE must be like") as refusal:
        release({"BOOK_RELEASE": given})
    assert repr(given) in str(refusal.value)
