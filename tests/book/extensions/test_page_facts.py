"""What a page tells search engines: its description, and its address if the book has one."""

import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from card import draw_card
from page_facts import CARD, bibtex, shorten, write_files


@pytest.fixture(autouse=True)
def _newest(monkeypatch):
    """Provide the newest book, also where the builder of these tests builds a release."""
    for name in ("BOOK_RELEASE", "GITHUB_REF_TYPE", "CI_COMMIT_TAG"):
        monkeypatch.delenv(name, raising=False)


def test_a_description_ends_between_words():
    assert shorten(" two\n words ") == "two words"
    assert shorten("one two three", 9) == "one two…"
    assert len(shorten("word " * 100)) <= 155


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


def test_a_book_without_an_address_has_none(tmp_path):
    write_files(book(tmp_path, ""), None)
    assert [path.name for path in tmp_path.iterdir()] == ["_static"]


def test_the_card_is_the_same_every_time(tmp_path):
    for name in ("one.png", "two.png"):
        draw_card(tmp_path / name, "A title, of two parts")
    first, second = ((tmp_path / name).read_bytes() for name in ("one.png", "two.png"))
    assert first == second
    assert int.from_bytes(first[16:20]) == 1200
    assert int.from_bytes(first[20:24]) == 630


def test_release_is_cited_at_its_own_address_without_sitemap(tmp_path, monkeypatch):
    monkeypatch.setenv("BOOK_RELEASE", "v1.0.0")
    released = book(tmp_path, "https://example.org/")
    assert "url = {https://example.org/v1.0.0/a/one.html}," in bibtex(released, "a/one", "One")
    write_files(released, None)
    assert not (tmp_path / "sitemap.xml").exists()


@pytest.mark.parametrize("url", ["", "https://example.org/"])
def test_a_page_says_how_to_cite_it(url, tmp_path):
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
