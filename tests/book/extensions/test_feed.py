"""The feed lists the versions on the page about changes, in valid Atom."""

import xml.etree.ElementTree as ET

from docutils import nodes
from docutils.core import publish_doctree
from feed import ATOM, Version, atom, versions_of

SITE = "https://example.org/book/"
PAGE = f"{SITE}book/changes.html"


def page(*titles: str) -> nodes.document:
    sections = "\n".join(f"{title}\n{'-' * 40}\n\nA *change*\nof <b>.\n" for title in titles)
    settings = {"doctitle_xform": False}
    return publish_doctree(f"Changes\n=======\n\n{sections}", settings_overrides=settings)


def test_each_section_is_a_version():
    found = list(versions_of(page("0.2.0 (2027-01-02)", "0.1.0 (2026-11-22)")))
    assert [version.number for version in found] == ["0.2.0", "0.1.0"]
    assert [version.day for version in found] == ["2027-01-02", "2026-11-22"]
    assert {version.text for version in found} == {"A change of <b>."}
    assert len({version.anchor for version in found}) == 2


def test_a_feed_has_the_elements_that_atom_requires():
    versions = [
        Version("0.2.0", "2027-01-02", "two", "a < b"),
        Version("0.1.0", "2026-11-22", "one", ""),
    ]
    feed = ET.fromstring(atom(versions, SITE, PAGE, "A & B", "ana"))
    names = {"a": ATOM}

    def texts(path: str) -> list[str | None]:
        return [node.text for node in feed.findall(path, names)]

    assert feed.tag == f"{{{ATOM}}}feed"
    assert texts("a:title") == ["A & B"] and texts("a:id") == [SITE]
    assert texts("a:author/a:name") == ["ana"]
    assert texts("a:updated") == ["2027-01-02T00:00:00Z"]
    assert texts("a:entry/a:id") == [f"{PAGE}#two", f"{PAGE}#one"]
    assert texts("a:entry/a:updated") == ["2027-01-02T00:00:00Z", "2026-11-22T00:00:00Z"]
    assert texts("a:entry/a:content") == ["a < b", None]
    links = {(node.get("rel"), node.get("href")) for node in feed.findall("a:link", names)}
    assert links == {("self", f"{SITE}feed.xml"), (None, SITE)}
