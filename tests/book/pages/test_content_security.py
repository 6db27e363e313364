"""The book under a strict Content-Security-Policy: the one that CONTRIBUTING.md prints."""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

import pytest
from conftest import BOOK, CHAPTER, ROOT, Watch, served, settle
from live import host_of
from playwright.sync_api import Browser, expect
from sampling import sample

(PRINTED,) = re.findall(r"`(default-src [^`]+)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
STRICT = PRINTED.replace(" 'unsafe-inline'", "")
INLINE = re.compile(r"<script(?![^>]*(?:src=|application/json))[^>]*>(.*?)</script>", re.DOTALL)
FORMULAS = """() => [...document.querySelectorAll(".katex-html")]
  .map((e) => e.getBoundingClientRect().height)"""


@pytest.fixture
def guarded(browser: Browser) -> Iterator[Watch]:
    """Open pages of a server that sends a policy; what it forbids is an error in the console."""
    with served(BOOK, {"Content-Security-Policy": PRINTED}) as site:
        watch = Watch(browser, site)
        yield watch
        watch.close()


def test_pages_have_one_inline_script_with_the_printed_hash_and_no_handlers():
    scripts = set()
    for path in BOOK.rglob("*.html"):
        text = path.read_text("utf-8")
        scripts |= {*INLINE.findall(text)}
        assert re.findall(r"<[a-z]+\b[^<>]*? on\w+=", text) == [], path.name
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    assert re.findall(r"'sha256-([^']*)'", PRINTED) == hashes


CHAPTERS = [CHAPTER, "notebooks/08_masks.html", "notebooks/23_decoding.html"]
OTHER_PAGES = [
    *("search.html?q=softmax", "404.html", "book/review.html"),
    *("book/the_walk.html", "book/the_workbench.html", "book/api_layers.html"),
]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_works_under_the_printed_policy(guarded, open_page, name):
    page, free = guarded.open(name), open_page(name)
    figures = page.locator(".tl-host").evaluate_all("(all) => all.map((e) => e.dataset.figure)")
    for figure in {*figures}:
        host_of(page, figure)
    assert page.evaluate(FORMULAS) == free.evaluate(FORMULAS) != []
    page.evaluate("window.print = () => { document.body.dataset.printed = 'yes'; }")
    page.locator(".btn-download-pdf-button").evaluate("(e) => e.click()")
    expect(page.locator("body")).to_have_attribute("data-printed", "yes")
    page.locator(".btn-fullscreen-button").click()
    expect(
        page.locator(":fullscreen")
    ).to_be_attached()  # not by a script, which the policy forbids
    page.locator(".theme-switch-button").first.click()
    page.locator(".btn-projector").click()
    expect(page.locator(".tl-projector")).to_be_visible()
    guarded.judge()


@pytest.mark.parametrize("name", sample(OTHER_PAGES, 2))
def test_a_page_works_under_the_printed_policy(guarded, name):
    page = guarded.open(name)
    settle(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    if name.startswith("search"):
        expect(page.locator("#search-results li").first).to_be_visible()
    guarded.judge()


def test_the_workbench_trains_under_the_printed_policy(guarded):
    page = guarded.open("book/the_workbench.html#workbench?race=count-positions&steps=25")
    host = host_of(page, "workbench")
    host.get_by_role("button", name="Train", exact=True).click()
    expect(host.get_by_role("button", name="Train again")).to_be_visible(timeout=60_000)
    assert page.workers, "a Worker trains"
    guarded.judge()


def test_formulas_stay_readable_where_styles_in_the_page_are_forbidden(browser, open_page):
    """The browser reports them, and a script gives the formulas their styles."""
    free = open_page(CHAPTER)
    with served(BOOK, {"Content-Security-Policy": STRICT}) as site:
        watch = Watch(browser, site)
        page = watch.open(CHAPTER)
        host_of(page, "attention_explorer")
        assert page.evaluate(FORMULAS) == free.evaluate(FORMULAS)
        assert {*watch.errors} and all("style" in error for error in watch.errors)
        watch.close()
