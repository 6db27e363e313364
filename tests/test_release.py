"""`make release`: all parts or none, with checksums, and a new build for a new address."""

import hashlib
import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import release

ROOT = Path(__file__).parents[1]
VERSION = "1.2.0"


@pytest.fixture
def script(tmp_path):
    """The script, in a project of its own that makes two small parts and its pages."""
    found = runpy.run_path(str(ROOT / ".ci/release.py"))
    names = found["main"].__globals__
    (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{VERSION}"\n')
    makefile = "cards:\n\tmkdir -p _build/html && echo here > _build/html/index.html\n"
    (tmp_path / "Makefile").write_text(makefile)
    build = tmp_path / "_build"
    names |= {"ROOT": tmp_path, "BUILD": build, "OUT": build / "release"}
    names["PARTS"] = [
        found["Part"]("the PDF", writes("press", "a.pdf"), "press/*.pdf"),
        found["Part"]("the class release", writes("class", "students.zip"), "class/students.zip"),
    ]
    return names


def writes(folder: str, *files: str, status: int = 0) -> tuple[str, ...]:
    """A command that writes files, each with its name in it, and ends with a status."""
    code = (
        "import pathlib, sys; folder = pathlib.Path('_build', sys.argv[1]); "
        "folder.mkdir(parents=True, exist_ok=True); "
        "[folder.joinpath(name).write_text(name) for name in sys.argv[3:]]; "
        "sys.exit(int(sys.argv[2]))"
    )
    return sys.executable, "-c", code, folder, str(status), *files


def test_a_release_is_all_its_files_with_their_checksums(script, capfd):
    assert script["main"]({}) == 0
    out = script["OUT"]
    assert sorted(path.name for path in out.iterdir()) == ["SHA256SUMS", "a.pdf", "students.zip"]
    lines = (out / "SHA256SUMS").read_text().splitlines()
    digests = [hashlib.sha256((out / name).read_bytes()).hexdigest() for name in ("a.pdf",)]
    assert lines[0] == f"{digests[0]}  a.pdf" and len(lines) == 2
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out, check=True)
    assert "no site.zip" in capfd.readouterr().out


def test_a_release_of_a_published_book_contains_its_pages(script):
    values = {"BOOK_URL": "https://ana.example.org/", "BOOK_RELEASE": f"v{VERSION}"}
    assert script["main"](values) == 0
    with zipfile.ZipFile(script["OUT"] / "site.zip") as pages:
        assert pages.read("index.html") == b"here\n"
    assert "site.zip" in (script["OUT"] / "SHA256SUMS").read_text()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (writes("press", "a.pdf", status=3), " ended with status 3"),
        (writes("press"), "_build/press/*.pdf must be one file, found []"),
        (writes("press", "a.pdf", "b.pdf"), "_build/press/*.pdf must be one file, found ["),
    ],
)
def test_a_failed_part_prevents_the_release_but_not_the_other_parts(script, capfd, command, why):
    assert script["main"]({}) == 0
    script["PARTS"][0] = script["Part"]("the PDF", command, "press/*.pdf")
    students = script["BUILD"] / "class/students.zip"
    students.write_text("of an earlier time")
    assert script["main"]({}) == 1
    said = capfd.readouterr().out
    assert why in said.partition("There is no release:")[2]
    assert not script["OUT"].exists()
    assert students.read_text() == "students.zip"


@pytest.mark.parametrize(
    "values",
    [
        {"BOOK_RELEASE": "v1.2.1"},
        {"BOOK_RELEASE": "1.2.0"},
        {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v2.0.0"},
    ],
)
def test_a_tag_of_another_version_is_refused_before_the_build(script, capfd, values):
    assert script["main"](values) == 1
    said = capfd.readouterr().out
    given = values.get("BOOK_RELEASE") or values["GITHUB_REF_NAME"]
    assert f"must be v{VERSION} after the version in pyproject.toml, got {given!r}" in said
    assert not script["BUILD"].exists()


def test_every_part_names_a_command_of_the_makefile():
    made = {part.command[1] for part in release.PARTS if part.command[0] == "make"}
    listed = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"pdf", "epub", "anki", "offline", "class"} == made <= {*listed}


def test_a_release_contains_only_the_students_zip_of_a_class():
    [made] = [part.pattern for part in release.PARTS if "class" in part.command]
    assert made == "class/students.zip"
