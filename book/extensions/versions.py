"""The versions of the book, side by side: which one a page belongs to, and where the others are.

The newest state of the book is at its address, and each release is in a folder named by its tag
(`site_address.release`). The newest book lists the releases in `versions.json`, which its pages and
those of all releases read (`book/static/versions.js`). The build writes that list with only the
newest book; `.ci/collect_releases.py` adds the releases for the publication.

A book without an address has no versions, and none of this.
"""

import json
import os
from pathlib import Path

from site_address import release
from sphinx.application import Sphinx

import transformer_lite as tl

LIST = "versions.json"


def number() -> str:
    """Return the number of the version that is built, as "1.2.0"."""
    return release(os.environ).removeprefix("v") or tl.__version__


def add_script(app: Sphinx) -> None:
    """Have the pages of a book with an address read the list."""
    if app.config.html_baseurl:
        home = "../" if release(os.environ) else ""
        attributes = {"defer": "defer", "data-home": home}
        app.add_js_file("versions.js", **attributes)


def name_version(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object
) -> None:
    """Tell a page its version, and one of a release that it is one."""
    if app.config.html_baseurl:
        context["book_version"] = number()
        context["book_release"] = release(os.environ)


def write_list(app: Sphinx, exception: Exception | None) -> None:
    """Write the list as far as the newest book knows it: itself."""
    newest = app.config.html_baseurl and not release(os.environ)
    if newest and not exception and app.builder.name == "html":
        text = json.dumps([{"name": number(), "path": ""}])
        Path(app.outdir, LIST).write_text(f"{text}\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", add_script)
    app.connect("html-page-context", name_version)
    app.connect("build-finished", write_list)
