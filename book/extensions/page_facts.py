"""Describe each page to search engines and messengers: description, address, picture, sitemap.

The environment says where the book is published (`site_address`). The canonical addresses, the
sitemap and the address of the social card are made from it. If it is unset, as on one's own
machine, no page claims an address.
"""

import os
import re
from pathlib import Path
from xml.sax.saxutils import escape

from card import draw_card
from chapter_lists import chapter_of
from docutils import nodes
from site_address import release, site
from sphinx.application import Sphinx
from sphinx.config import Config

CARD = "card.png"
WITH = "With live figures, exercises and code that runs."
TAGS = re.compile("<[^>]*>")
LONGEST = 155  # characters that search results show
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""


def set_address(app: Sphinx, config: Config) -> None:
    """Set the book's address from the environment."""
    config.html_baseurl = site(os.environ)


def describe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Add a page's description and picture to its context."""
    if chapter := chapter_of(app.env, pagename):
        promise = chapter.facts.promise
        text = f"{promise[0].upper()}{promise[1:]}. {WITH}"
    else:
        name = f"{context.get('title', '')}, a page of {app.config.html_title}."
        text = first_words(doctree) or name
    context["description"] = shorten(text)
    context["bibtex"] = bibtex(app, pagename, context.get("title", ""))
    if app.config.html_baseurl:
        context["card"] = f"{app.config.html_baseurl}_static/{CARD}"


def bibtex(app: Sphinx, pagename: str, title: str) -> str:
    """Return a BibTeX entry for a page, with an address if the book has one."""
    config = app.config
    fields = {
        "author": f"{{{config.author}}}",
        "title": f"{{{TAGS.sub('', title)}}}",
        "booktitle": f"{{{config.html_title}}}",
        "year": f"{{{config.copyright}}}",
    }
    if config.html_baseurl:
        folder = f"{tag}/" if (tag := release(os.environ)) else ""
        address = f"{config.html_baseurl}{folder}{app.builder.get_target_uri(pagename)}"
        fields["url"] = f"{{{address}}}"
    key = f"{pagename.rpartition('/')[2]}-{config.copyright}"
    lines = "".join(f"  {name} = {value},\n" for name, value in fields.items())
    return f"@incollection{{{key},\n{lines}}}"


def first_words(doctree: object) -> str:
    """Return the first paragraph of a page as plain text."""
    if not isinstance(doctree, nodes.document):
        return ""
    return next((p.astext() for p in doctree.findall(nodes.paragraph) if p.astext()), "")


def shorten(text: str, longest: int = LONGEST) -> str:
    """Shorten a text to a number of characters, without breaking a word."""
    words = " ".join(text.split())
    return words if len(words) <= longest else words[: longest - 1].rsplit(" ", 1)[0] + "…"


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write the social card and, if the book has an address, its sitemap."""
    if exception or app.builder.name != "html":
        return
    draw_card(Path(app.outdir, "_static", CARD), app.config.html_title)
    if app.config.html_baseurl and not release(os.environ):  # a release needs no sitemap
        names = sorted(app.env.found_docs)
        urls = (app.config.html_baseurl + app.builder.get_target_uri(name) for name in names)
        lines = "\n".join(f"<url><loc>{escape(url)}</loc></url>" for url in urls)
        Path(app.outdir, "sitemap.xml").write_text(SITEMAP.format(lines), "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("config-inited", set_address)
    app.connect("html-page-context", describe)
    app.connect("build-finished", write_files)
