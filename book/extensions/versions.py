"""The versions of the book: which one a page belongs to, and where the others are.

The newest state of the book is at its address, and each release is in a folder named after its tag
(`site_address.release`). The newest book lists the releases in `versions.json`, which its own pages
and those of all releases read (`book/static/versions.js`). The build writes that list with only the
newest book, and `.ci/collect_releases.py` adds the releases for publication.

A book without an address has no list of versions.
"""

import json
import os
from pathlib import Path

from site_address import release
from sphinx.application import Sphinx

import transformer_lite as tl

LIST = "versions.json"


def number() -> str:
    """Return the number of the version that is built, such as "1.2.0"."""
    return release(os.environ).removeprefix("v") or tl.__version__


def add_script(app: Sphinx) -> None:
    """Load the script that reads the list, if the book has an address."""
    if app.config.html_baseurl:
        home = "../" if release(os.environ) else ""
        attributes = {"defer": "defer", "data-home": home}
        app.add_js_file("versions.js", **attributes)


def name_version(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object
) -> None:
    """Give a page its version, and mark the pages of a release."""
    if app.config.html_baseurl:
        context["book_version"] = number()
        context["book_release"] = release(os.environ)


def write_list(app: Sphinx, exception: Exception | None) -> None:
    """Write the list with only the newest book."""
    newest = app.config.html_baseurl and not release(os.environ)
    if newest and not exception and app.builder.name == "html":
        text = json.dumps([{"name": number(), "path": ""}])
        Path(app.outdir, LIST).write_text(f"{text}\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", add_script)
    app.connect("html-page-context", name_version)
    app.connect("build-finished", write_list)
