"""What a chapter costs to load: everything the browser fetches, compressed as a server would."""

import gzip
from collections import Counter
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from conftest import BOOK, CHAPTERS
from playwright.sync_api import Page

PAGE_LIMIT = 700_000
SCRIPT_LIMIT = 15_000
KINDS = {
    ".html": "page",
    ".css": "styles",
    ".js": "scripts",
    ".woff": "fonts",
    ".woff2": "fonts",
    ".png": "pictures",
    ".svg": "pictures",
}


def kind_of(path: str) -> str:
    """Name the line of the table that a file is counted in."""
    if "/_static/figures/" in path or path.endswith("/shell.js"):
        return "our scripts" if path.endswith(".js") else "styles"
    if "/mathjax/" in path and path.endswith(".js"):
        return "MathJax"
    return KINDS[PurePosixPath(path).suffix]


def weigh(page: Page) -> tuple[Counter, Counter]:
    """Return what the page has loaded by kind, in bytes: raw, and each file gzipped."""
    loaded = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    paths = {urlsplit(url).path for url in [page.url, *loaded]}
    raw, small = Counter(), Counter()
    for path in paths:
        body = (BOOK / path.lstrip("/")).read_bytes()
        raw[kind_of(path)] += len(body)
        small[kind_of(path)] += len(gzip.compress(body, compresslevel=9, mtime=0))
    return raw, small


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_light(open_page, name, record_property):
    raw, small = weigh(open_page(name))
    lines = [f"{name:<28} {'raw':>11} {'gzip':>11}"]
    for kind, size in [*small.most_common(), ("total", small.total())]:
        lines.append(f"  {kind:<26} {raw[kind] or raw.total():>11,} {size:>11,}")
    record_property("table", "\n".join(lines))
    assert 0 < small.total() <= PAGE_LIMIT
    assert small["our scripts"] <= SCRIPT_LIMIT
