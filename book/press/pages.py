"""Read the built pages as trees, in the order of the book.

A browser parses them, because only browsers parse HTML exactly as readers' browsers do. It returns
XHTML, which the rest of the press can rely on. No scripts run, so each figure is its static
picture.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import yaml
from lxml import etree
from playwright.sync_api import Page as Tab

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
X = {"x": XHTML, "s": SVG, "m": MATHML}
# Elements that work only in a browser, and those that the press replaces with its own.
SCREEN_ONLY = [
    "script",
    "button",
    "a.headerlink",
    "a.teaching-screen",
    "div.tl-cover-bar",
    "div.tl-progress-panel",
]
READ = """html => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const article = page.querySelector("article.bd-article");
  return article && new XMLSerializer().serializeToString(article);
}"""
# Characters that are allowed in HTML but not in XML.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

Element: TypeAlias = etree._Element


@dataclass
class Page:
    """A page of the book.

    Attributes:
        name: relative to the book's root, without an extension: "notebooks/05_attention".
        part: its caption in the table of contents; empty for the first page.
        title: its heading. The first page, whose heading is the book's title, is "Preface".
        article: its content, as an `article` element of XHTML.
        pictures: the pictures that the press made for it, by name relative to the book's root.
    """

    name: str
    part: str
    title: str
    article: Element
    pictures: dict[str, bytes] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """Return the number of a chapter, as in its file name; empty for other pages."""
        found = re.match(r"notebooks/(\d+)_", self.name)
        return str(int(found[1])) if found else ""


def order(root: Path) -> list[tuple[str, str]]:
    """Return the part and name of every page, in the order of `_toc.yml`."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    listed = [
        (part["caption"], page["file"])
        for part in toc["parts"]
        for entry in part["chapters"]
        for page in (entry, *entry.get("sections", []))
    ]
    return [("", toc["root"]), *listed]


def read_pages(tab: Tab, html: Path, pages: list[tuple[str, str]]) -> list[Page]:
    """Read built pages, without the elements that only work on a screen.

    Raises:
        ValueError: a page was not built, or has no article.
    """
    found = []
    for part, name in pages:
        path = html / f"{name}.html"
        if not path.exists():
            raise ValueError(f"a page of _toc.yml must be built, got no {path}")
        article = tab.evaluate(READ, path.read_text("utf-8"))
        if article is None:
            raise ValueError(f"a page must have an article, got none in {path}")
        tree = etree.fromstring(CONTROL.sub("", article))
        drawing = [cell.find(f"{{{XHTML}}}details") for cell in select(tree, "div.tag_hide-input")]
        for element in [
            *drawing,
            *(found for query in SCREEN_ONLY for found in select(tree, query)),
        ]:
            drop(element)
        heading = select(tree, "h1")[0]
        if not part:
            heading.text = "Preface"
        found.append(Page(name, part, text_of(heading), tree))
    return found


def select(tree: Element, query: str) -> list[Element]:
    """Return the elements with a tag, or with a tag and a class: `details.above-input`."""
    tag, _, name = query.partition(".")
    mine = f"[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]" if name else ""
    return tree.xpath(f".//x:{tag}{mine}", namespaces=X)


def short(name: str) -> str:
    """Return the name of a page as one word, such as "05_attention" or "teaching-index"."""
    return re.sub(r"^(notebooks|book)/", "", name).replace("/", "-")


def drop(element: Element) -> None:
    """Remove an element from its tree, but keep the text that follows it."""
    parent, before, tail = element.getparent(), element.getprevious(), element.tail
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def text_of(element: Element) -> str:
    """Return the text inside an element, with each run of white space as one blank."""
    return " ".join("".join(element.itertext()).split())


def tag_of(element: Element) -> str:
    """Return the name of an element without its namespace; empty for a comment."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def elements(tree: Element) -> Iterator[Element]:
    """Yield every element of a tree, without comments."""
    return (element for element in tree.iter() if isinstance(element.tag, str))


def target(page: str, href: str) -> tuple[str, str] | None:
    """Return the page and anchor that a link on a page leads to; None for any other target.

    >>> target("notebooks/05_attention", "../book/glossary.html#term-softmax")
    ('book/glossary', 'term-softmax')
    """
    if re.match(r"[a-z][a-z0-9+.-]*:|//", href):
        return None
    path, _, anchor = href.partition("#")
    if not path:
        return page, anchor
    name, ending = posixpath.splitext(posixpath.normpath(f"{posixpath.dirname(page)}/{path}"))
    return (name.lstrip("/"), anchor) if ending == ".html" else None


def lead(
    element: Element,
    key: str,
    page: Page,
    names: set[str],
    address: str,
    place: Callable[[str, str], str],
) -> None:
    """Point a link at the new place of its target.

    A link to a file of the site, such as a notebook, leads to the site if its address is known;
    otherwise only its text is kept.

    Args:
        element: the link.
        key: the attribute with its address.
        page: the page that contains it.
        names: the names of the included pages.
        address: the address of the site, or an empty text.
        place: a function that returns the new address of a page and anchor.
    """
    href = element.get(key)
    found = target(page.name, href)
    if found and found[0] in names:
        element.set(key, place(*found))
    elif not re.match(r"[a-z][a-z0-9+.-]*:", href):
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), href))
        if address:
            element.set(key, address + inside)
        else:
            del element.attrib[key]
