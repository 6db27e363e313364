"""Turn a page of the book into a page of an EPUB: strict XHTML, formulas as MathML, no scripts.

Most reading systems support no JavaScript and only a part of CSS. So figures are replaced by their
static pictures, and the colours that a page takes from variables are written out.
"""

from __future__ import annotations

import posixpath
import re

from lxml import etree
from lxml.builder import ElementMaker
from one_page import rename
from pages import (
    MATHML,
    SVG,
    XHTML,
    Element,
    Page,
    elements,
    lead,
    select,
    short,
    tag_of,
    text_of,
)

H = ElementMaker(namespace=XHTML, nsmap={None: XHTML})
NOT_IN_EBOOKS = ("loading", "decoding", "tabindex")
ROOT_RULE = re.compile(r":root\s*\{([^}]*)\}")
VARIABLE = re.compile(r"(--[\w-]+)\s*:\s*([^;}]+)")
USE = re.compile(r"var\(\s*(--[\w-]+)\s*\)")


def file_of(name: str) -> str:
    """Return the file name of a page: "05_attention.xhtml" for "notebooks/05_attention"."""
    return f"{short(name)}.xhtml"


def place(name: str, anchor: str) -> str:
    """Return the address of an anchor of a page, or of the page itself."""
    return f"{file_of(name)}#{anchor}" if anchor else file_of(name)


def fit_for_ebook(pages: list[Page], address: str) -> None:
    """Turn the pages into pages of an EPUB, in place."""
    names = {page.name for page in pages}
    for page in pages:
        for formula in select(page.article, "span.katex"):
            formula.getparent().replace(formula, spoken(formula))
        for summary in select(page.article, "summary"):
            plain_summary(summary)
        for element in elements(page.article):
            for key in NOT_IN_EBOOKS:
                element.attrib.pop(key, None)
            if "href" in element.attrib:
                lead(element, "href", page, names, address, place)
            if tag_of(element) == "img":
                element.set("src", f"images/{posixpath.basename(element.get('src'))}")


def spoken(formula: Element) -> Element:
    """Return only the MathML of a formula from KaTeX, with the text that follows the formula."""
    (math,) = formula.iter(f"{{{MATHML}}}math")
    math.tail = formula.tail
    return math


def plain_summary(summary: Element) -> None:
    """Keep only the words that name the folded part; leave the machine's map open."""
    collapsed = select(summary, "p.collapsed")
    text = text_of(collapsed[0] if collapsed else summary)
    rename(summary, text)
    if "tl-m-map" in (summary.getparent().getparent().get("class") or ""):
        summary.getparent().set("open", "open")


def document(title: str, *body: Element, kind: str = "") -> bytes:
    """Return an XHTML file.

    Args:
        title: the title of the page.
        body: the elements of its body.
        kind: its role in the book, in EPUB's vocabulary.
    """
    names = {None: XHTML, "epub": "http://www.idpf.org/2007/ops"}
    maker = ElementMaker(namespace=XHTML, nsmap=names)
    head = maker.head(maker.title(title), maker.link(rel="stylesheet", href="style.css"))
    content = maker.body(*body)
    if kind:
        content.set("{http://www.idpf.org/2007/ops}type", kind)
    page = maker.html({"lang": "en", "data-theme": "light"}, head, content)
    page.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    return etree.tostring(page, encoding="utf-8", xml_declaration=True, doctype="<!DOCTYPE html>")


def properties(article: Element) -> str:
    """Return a page's properties for the package: whether it contains MathML or SVG."""
    spaces = {etree.QName(element).namespace for element in elements(article)}
    return " ".join(name for name, space in (("mathml", MATHML), ("svg", SVG)) if space in spaces)


def written_out(css: str) -> str:
    """Return a stylesheet with its variables replaced by their values."""
    rules = ROOT_RULE.findall(css)
    values = {name: text.strip() for rule in rules for name, text in VARIABLE.findall(rule)}
    for _ in range(3):  # a variable may refer to another
        css = USE.sub(lambda use: values.get(use[1], use[0]), css)
    return css
