"""The weight of a page: everything that it can fetch, compressed as by a server."""

import gzip
import re
from collections import Counter
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from conftest import BOOK, CHAPTERS, PAGES
from playwright.sync_api import Page
from stylesheet import compact, parse, split

PAGE_LIMIT = 220_000
OPENING_LIMIT = 190_000  # without pictures, which load when they come near the screen
SCRIPT_LIMIT = 24_000  # what figures share, a figure with its tour, questions and drills
FIGURE_LIMIT = 3_000  # for each further figure with a tour
ENGINE_LIMIT = 16_000  # more where the trained translator runs
# More where a figure holds the record of a real training, real vectors or a text to count.
RECORD_LIMIT = 9_000
ASSETS_LIMIT = 500_000  # the trained model, which loads when its figure comes near the screen
RECORDS = ", ".join(
    f"[data-figure='{name}']"
    for name in ("training_film", "word_plane", "ngram_writer", "recurrent_translator", "race_lab")
)
REVIEW_LIMIT = 200_000
BLOCKING_LIMIT = 1  # the stylesheet
KINDS = {
    ".html": "page",
    ".css": "styles",
    ".js": "scripts",
    ".woff": "fonts",
    ".png": "pictures",
    ".svg": "pictures",
}


def kind_of(path: str) -> str:
    """Name the line of the table that a file is counted in."""
    if "/_static/figures/assets/" in path:
        return "assets"
    if "/_static/figures/" in path or path.endswith("/shell.js"):
        return "our scripts" if path.endswith(".js") else "styles"
    return KINDS[PurePosixPath(path).suffix]


def weigh(page: Page) -> tuple[Counter, Counter]:
    """Return what the page has loaded by kind, in bytes: raw, and each file gzipped.

    Pictures further down count too: they are asked for at once.
    """
    page.evaluate("""() => Promise.all([...document.images].map((image) => {
      image.loading = "eager";
      return image.complete || new Promise((done) => { image.onload = image.onerror = done; });
    }))""")
    loaded = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    pictures = page.evaluate("[...document.images].map((image) => image.src)")
    assert set(pictures) <= {*loaded, *(url for url in pictures if url.startswith("data:"))}
    urls = [url for url in [page.url, *loaded] if url.startswith("http")]
    raw, small = Counter(), Counter()
    for path in {urlsplit(url).path for url in urls}:
        body = (BOOK / path.lstrip("/")).read_bytes()
        raw[kind_of(path)] += len(body)
        small[kind_of(path)] += len(gzip.compress(body, compresslevel=9, mtime=0))
    return raw, small


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_light(touched, name, record_property):
    page = touched(name, "desk")
    raw, small = weigh(page)
    lines = [f"{name:<28} {'raw':>11} {'gzip':>11}"]
    for kind, size in [*small.most_common(), ("total", small.total())]:
        lines.append(f"  {kind:<26} {raw[kind] or raw.total():>11,} {size:>11,}")
    record_property("table", "\n".join(lines))
    assert {"page", "styles", "scripts"} <= set(small)
    assert small["assets"] <= ASSETS_LIMIT
    assert small.total() - small["assets"] <= PAGE_LIMIT
    assert small.total() - small["assets"] - small["pictures"] <= OPENING_LIMIT
    engine = page.locator("[data-assets]").count() > 0
    record = page.locator(RECORDS).count() > 0
    figures = page.locator("[data-tour]").count()
    allowed = SCRIPT_LIMIT + FIGURE_LIMIT * max(figures - 1, 0)
    allowed += engine * ENGINE_LIMIT + record * RECORD_LIMIT
    assert small["our scripts"] <= allowed


def test_review_is_light(touched):
    _, small = weigh(touched("book/review.html", "desk"))
    assert small.total() <= REVIEW_LIMIT, small


@pytest.mark.parametrize("name", [name for name in PAGES if name != "search.html"])
def test_only_one_stylesheet_blocks_rendering(desk):
    blocking = desk.evaluate("""() => performance.getEntriesByType("resource")
      .filter((entry) => entry.renderBlockingStatus === "blocking").map((entry) => entry.name)""")
    assert len(blocking) == BLOCKING_LIMIT, blocking
    assert "/_static/pages.css?v=" in blocking[0]


def test_pictures_reserve_their_space_and_load_lazily(desk):
    """Each has its size as attributes, and keeps its aspect ratio in a narrower column."""
    loose = desk.evaluate("""() => [...document.querySelectorAll("article img")]
      .filter((image) => !(image.width > 0 && image.getAttribute("height") > 0
        && image.loading === "lazy")).map((image) => image.outerHTML.slice(0, 90))""")
    assert loose == []


# A rule for "every last child" without the name of a class, an id or an element before it.
CHOICES = re.compile(r":(?:is|where|not|has)\((?:[^()]|\([^()]*\))*\)")
EVERY_LAST = re.compile(r"(?:^|[ >+~]):(?:last|only|nth-last)-[\w-]+[^ >+~]*$")


def selectors(css: str | list) -> list[str]:
    """Return the selectors of a stylesheet, with those inside of media queries."""
    found: list[str] = []
    for rule in parse(css):
        if rule.type == "qualified-rule":
            found += [compact(part) for part in split(rule.prelude)]
        elif rule.content and rule.lower_at_keyword in {"media", "supports", "layer", "container"}:
            found += selectors(rule.content)
    return found


def restyles(selector: str) -> bool:
    """Return whether a browser has to test every element of a page for being the last one.

    Each element is then styled again when its parent is complete, and so the whole page.
    """
    plain = CHOICES.sub("", selector)
    last = EVERY_LAST.search(plain)
    return bool(last) and not re.search(r"[\w]", plain[: last.start()])


def test_no_rule_styles_a_page_twice():
    css = (BOOK / "_static/pages.css").read_text("utf-8")
    assert [selector for selector in selectors(css) if restyles(selector)] == []
    assert restyles(":is(.a, .b) > :last-child") and restyles(":last-child")
    assert not restyles(".a > :last-child") and not restyles(":is(.a, .b) > p:last-child")
