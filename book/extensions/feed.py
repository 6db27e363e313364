"""Write a feed of the book's versions, for readers who want to hear about the next one.

Its entries are the sections of the changes page, each titled with a number and a date, as in
"0.1.0 (2026-11-22)". A feed needs web addresses, so a book without an address has no feed.
"""

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from site_address import release
from sphinx.application import Sphinx
from sphinx.util import logging

PAGE = "book/changes"
FEED = "feed.xml"
ATOM = "http://www.w3.org/2005/Atom"
TITLE = re.compile(r"(\d+(?:\.\d+)*) \((\d{4}-\d\d-\d\d)\)")
logger = logging.getLogger(__name__)


class Version(NamedTuple):
    """One version in the feed: "0.1.0", "2026-11-22", and what has changed.

    The anchor is the id of its section on the changes page.
    """

    number: str
    day: str
    anchor: str
    text: str


def versions_of(page: nodes.document) -> Iterator[Version]:
    """Yield the versions on the changes page, in page order."""
    top = next(page.findall(nodes.section))
    for section in (node for node in top.children if isinstance(node, nodes.section)):
        title = section[0].astext()
        found = TITLE.fullmatch(title)
        if found is None:
            logger.warning("must be like 0.1.0 (2026-11-22), got %r", title, location=section)
            continue
        # Join the lines of a paragraph, which break where the source breaks them.
        parts = (" ".join(part.astext().split()) for part in section.findall(nodes.paragraph))
        yield Version(found[1], found[2], section["ids"][0], "\n".join(parts))


def atom(versions: list[Version], site: str, page: str, title: str, author: str) -> bytes:
    """Return the feed as XML.

    Args:
        versions: the versions, newest first; at least one.
        site: the address of the book, with a trailing slash.
        page: the address of the changes page.
        title: the title of the book.
        author: the author of the book.
    """
    feed = ET.Element("feed", xmlns=ATOM)
    add(feed, "title", title)
    add(feed, "id", site)
    add(feed, "updated", f"{versions[0].day}T00:00:00Z")
    add(feed, "link", rel="self", href=f"{site}{FEED}")
    add(feed, "link", href=site)
    add(add(feed, "author"), "name", author)
    for version in versions:
        entry = add(feed, "entry")
        add(entry, "title", f"{title}: version {version.number}")
        add(entry, "id", f"{page}#{version.anchor}")
        add(entry, "updated", f"{version.day}T00:00:00Z")
        add(entry, "link", href=f"{page}#{version.anchor}")
        add(entry, "content", version.text, type="text")
    ET.indent(feed)
    return ET.tostring(feed, encoding="utf-8", xml_declaration=True)


def add(parent: ET.Element, name: str, text: str | None = None, **attributes: str) -> ET.Element:
    """Add a child element to an element, and return the child."""
    element = ET.SubElement(parent, name, attributes)
    element.text = text
    return element


def has_feed(app: Sphinx) -> bool:
    """Return whether the book has an address and a changes page."""
    return bool(app.config.html_baseurl) and PAGE in app.env.found_docs


def name_feed(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object):
    """Give a page the address of the feed; pages of a release get the newest book's feed."""
    if has_feed(app):
        context["feed"] = f"{app.config.html_baseurl}{FEED}"


def write_feed(app: Sphinx, exception: Exception | None) -> None:
    """Write the feed, if the book has an address."""
    if exception or app.builder.name != "html" or not has_feed(app) or release(os.environ):
        return
    site, config = app.config.html_baseurl, app.config
    page = site + app.builder.get_target_uri(PAGE)
    if versions := list(versions_of(app.env.get_doctree(PAGE))):
        feed = atom(versions, site, page, config.html_title, config.author)
        Path(app.outdir, FEED).write_bytes(feed)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", name_feed)
    app.connect("build-finished", write_feed)
