"""The page that a reader meets whose address is wrong, wherever in the book it points.

A server sends it under the wrong address itself, so links that are relative to it would lead
nowhere. In a book with an address they are written out in full.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from sphinx.application import Sphinx

NAME = "404"
LINK = re.compile(r'\b(href|src|action)="(?!#|[a-z][a-z0-9+.-]*:|/)([^"]*)"', re.IGNORECASE)


def page(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    """Ask Sphinx for one page more, made from a template."""
    yield NAME, {"title": "This page is not here"}, f"{NAME}.html"


def with_whole_links(html: str, address: str) -> str:
    """Return a page whose links inside the book start from the book's address."""
    return LINK.sub(lambda link: f'{link[1]}="{urljoin(address, link[2])}"', html)


def complete(app: Sphinx, exception: Exception | None) -> None:
    """Write the links of the page out in full, when all pages stand."""
    path = Path(app.outdir, f"{NAME}.html")
    address = app.config.html_baseurl
    if exception or app.builder.name != "html" or not address:
        return
    path.write_text(with_whole_links(path.read_text("utf-8"), address), "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", page)
    app.connect("build-finished", complete, priority=900)
