"""The copy for a stick: what is in it, and that the same pages give the same bytes."""

import datetime
import hashlib
import shutil
import zipfile

import pytest
from facts import Facts
from offline import NEEDED, write_zip

FACTS = Facts("A book", "somebody", datetime.date(2026, 3, 1), "1.2", "https://example.org/b/")
EXTRA = [".buildinfo", "404.html", "objects.inv", "sitemap.xml", "_static/theme.js.map"]


@pytest.fixture
def html(built, tmp_path):
    """Provide a built book with all that a build writes next to its pages."""
    shutil.copytree(built, tmp_path / "html")
    for name in [*NEEDED, *EXTRA]:
        (tmp_path / "html" / name).write_text(f"this is {name}", encoding="utf-8")
    return tmp_path / "html"


def test_the_zip_contains_the_pages_but_no_files_that_only_servers_read(html, tmp_path):
    digest = write_zip(html, FACTS, tmp_path / "out/book.zip")
    with zipfile.ZipFile(tmp_path / "out/book.zip") as whole:
        names = whole.namelist()
        told = whole.read("transformer-book-1.2/README.txt").decode()
        page = whole.read("transformer-book-1.2/notebooks/01_first.html")
    assert page == (html / "notebooks/01_first.html").read_bytes()
    assert {name.removeprefix("transformer-book-1.2/") for name in names} == {
        *NEEDED,
        *(f"{name}.html" for name in ("book/preface", "book/glossary", "notebooks/01_first")),
        "README.txt",
        "_images/dot.png",
    }
    assert "Version 1.2, 1 March 2026" in told and "https://example.org/b/" in told
    assert digest == hashlib.sha256((tmp_path / "out/book.zip").read_bytes()).hexdigest()
    line = (tmp_path / "out/book.zip.sha256").read_text(encoding="utf-8")
    assert line == f"{digest}  book.zip\n"
