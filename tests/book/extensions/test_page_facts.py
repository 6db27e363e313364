"""What a page tells search engines: its description, and its address if the book has one."""

import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from page_facts import CARD, bibtex, write_files


@pytest.fixture(autouse=True)
def _newest(monkeypatch):
    """Provide the newest book, also where the builder of these tests builds a release."""
    for name in ("BOOK_RELEASE", "GITHUB_REF_TYPE", "CI_COMMIT_TAG"):
        monkeypatch.delenv(name, raising=False)


def book(folder, url: str) -> SimpleNamespace:
    builder = SimpleNamespace(name="html", get_target_uri=lambda name: f"{name}.html")
    config = SimpleNamespace(
        html_title="A title, of two parts", html_baseurl=url, author="ana", copyright="2026"
    )
    env = SimpleNamespace(found_docs={"b/two", "a/one&more"})
    return SimpleNamespace(builder=builder, config=config, env=env, outdir=folder)


def test_a_book_with_an_address_has_a_sitemap(tmp_path):
    write_files(book(tmp_path, "https://example.org/"), None)
    urls = [node.text for node in ET.parse(tmp_path / "sitemap.xml").iter() if "loc" in node.tag]
    assert urls == ["https://example.org/a/one&more.html", "https://example.org/b/two.html"]
    assert (tmp_path / "_static" / CARD).exists()


@pytest.mark.parametrize("url", ["", "https://example.org/"])
def test_a_page_shows_how_to_cite_it(url, tmp_path):
    entry = bibtex(book(tmp_path, url), "notebooks/05_attention", "Attention: <em>softly</em>")
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))
    expected = {
        "author": "ana",
        "title": "Attention: softly",
        "booktitle": "A title, of two parts",
        "year": "2026",
    }
    assert fields == expected | ({"url": f"{url}notebooks/05_attention.html"} if url else {})
    assert entry.startswith("@incollection{05_attention-2026,\n") and entry.endswith("}")
