"""The EPUB of a small book: strict pages, links that land, and epubcheck's own verdict."""

import datetime
import posixpath
import zipfile
from pathlib import Path

import pytest
from epub import checker, keep, write_epub
from facts import Facts
from lxml import etree
from pages import MATHML, SVG, XHTML, read_pages
from three_pages import ORDER

FACTS = Facts("A book & more", "somebody", datetime.date(2026, 3, 1), "1.2")
OPF = "{http://www.idpf.org/2007/opf}"


@pytest.fixture(scope="module")
def book(tab, built, tmp_path_factory) -> Path:
    """Provide the EPUB of the small book."""
    out = tmp_path_factory.mktemp("epub") / "book.epub"
    write_epub(tab, built, read_pages(tab, built, ORDER), FACTS, out)
    return out


@pytest.fixture(scope="module")
def trees(book) -> dict:
    """Provide its pages and its package, parsed as strictly as XML is."""
    with zipfile.ZipFile(book) as whole:
        names = [name for name in whole.namelist() if name.endswith((".xhtml", ".opf"))]
        return {posixpath.basename(name): etree.fromstring(whole.read(name)) for name in names}


@pytest.fixture
def epubcheck() -> None:
    """Skip where epubcheck cannot run."""
    try:
        checker()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


def test_epubcheck_reports_the_broken_link_and_nothing_else(book, epubcheck, tmp_path, capsys):
    """One run for both: Java takes seconds to start."""
    good, bad = b"glossary.xhtml#term-sum", b"glossary.xhtml#nowhere"
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(tmp_path / "bad.epub", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(good, bad))
    assert keep(tmp_path / "bad.epub", tmp_path / "book.epub") == 1
    told, verdict = capsys.readouterr().out.splitlines()
    assert "RSC-012" in told and "01_first.xhtml" in told  # a fragment that is not there
    assert verdict == "No EPUB: epubcheck found this."
    assert not (tmp_path / "book.epub").exists()


def test_every_link_and_picture_is_there(book, trees):
    with zipfile.ZipFile(book) as whole:
        files = {name.removeprefix("EPUB/") for name in whole.namelist()}
    pages = {name: tree for name, tree in trees.items() if name.endswith(".xhtml")}
    ids = {(name, found.get("id")) for name, tree in pages.items() for found in tree.iter()}
    for name, tree in pages.items():
        for href in tree.xpath("//@href | //@src"):
            if not href.startswith("https://"):
                file, _, place = href.partition("#")
                assert file in {"", *files}
                assert not place or (file or name, place) in ids


def test_no_page_needs_a_script_and_formulas_are_mathml(trees):
    page = trees["01_first.xhtml"]
    names = {found.tag for found in page.iter(etree.Element)}
    assert {f"{{{MATHML}}}math", f"{{{SVG}}}marker", f"{{{XHTML}}}details"} <= names
    assert not {f"{{{XHTML}}}{name}" for name in ("script", "button", "input")} & names
    text = " ".join("".join(page.itertext()).split())
    assert "Here is x x_1 ." in text or "Here is xx_1." in text  # once, and its source
    assert "The answer stands here." in text and "Covered" not in text


def test_the_package_lists_page_properties_and_the_reading_order(trees):
    package = trees["package.opf"]
    items = {item.get("href"): item for item in package.iter(f"{OPF}item")}
    assert items["01_first.xhtml"].get("properties") == "mathml svg"
    assert items["glossary.xhtml"].get("properties") is None
    by_id = {item.get("id"): name for name, item in items.items()}
    read = [by_id[place.get("idref")] for place in package.iter(f"{OPF}itemref")]
    pages = ["preface.xhtml", "01_first.xhtml", "glossary.xhtml"]
    assert read == ["title.xhtml", "nav.xhtml", *pages]
