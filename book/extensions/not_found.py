"""The page for wrong addresses anywhere in the book.

A server sends this page under the wrong address itself, so its relative links would lead nowhere.
In a book with an address, its links are therefore absolute.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from sphinx.application import Sphinx

NAME = "404"
LINK = re.compile(r'\b(href|src|action)="(?!#|[a-z][a-z0-9+.-]*:|/)([^"]*)"', re.IGNORECASE)


def page(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    """Have Sphinx build one additional page from a template."""
    yield NAME, {"title": "This page is not here"}, f"{NAME}.html"


def with_whole_links(html: str, address: str) -> str:
    """Return the page with absolute links: those inside the book start with the book's address."""
    return LINK.sub(lambda link: f'{link[1]}="{urljoin(address, link[2])}"', html)


def complete(app: Sphinx, exception: Exception | None) -> None:
    """Make the links of the page absolute, once all pages are written."""
    path = Path(app.outdir, f"{NAME}.html")
    address = app.config.html_baseurl
    if exception or app.builder.name != "html" or not address:
        return
    path.write_text(with_whole_links(path.read_text("utf-8"), address), "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", page)
    app.connect("build-finished", complete, priority=900)
