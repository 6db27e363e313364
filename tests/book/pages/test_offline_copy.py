"""The zip for a stick, unpacked as a reader would and opened from there: nothing leaves the folder.

`watched` fails on every request for something outside it, and on every error in the console.
"""

import datetime
import functools
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import BOOK, watched
from controls import control
from facts import Facts
from live import host_of, settle, status, values
from offline import write_zip
from playwright.sync_api import Browser, Page, expect

FACTS = Facts("The book", "its authors", datetime.date(2026, 3, 1), "1.2")


@pytest.fixture(scope="module")
def unpacked_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder that the zip of the built book unpacks to, in one with an awkward name."""
    folder = tmp_path_factory.mktemp("stick")
    write_zip(BOOK, FACTS, folder / "book.zip")
    with zipfile.ZipFile(folder / "book.zip") as whole:
        whole.extractall(folder / "mon bâton #1")
    return folder / "mon bâton #1/transformer-book-1.2"


@pytest.fixture
def open_unpacked(browser: Browser, unpacked_book: Path) -> Iterator[Callable[..., Page]]:
    """Open pages of the unpacked book from their files."""
    with watched(browser, "", unpacked_book) as open_one:
        yield functools.partial(open_one, scheme="file")


def test_index_leads_to_the_first_page_and_on(open_unpacked):
    page = open_unpacked("index.html", scripts=False)
    page.wait_for_url("**/book/preface.html")
    page.locator(".bd-article a[href*='00_what']").first.click()
    expect(page.locator(".bd-article h1")).to_contain_text("What a Transformer does")


def test_search_finds(open_unpacked):
    page = open_unpacked("search.html?q=softmax")
    page.wait_for_selector("#search-results li a")
    page.locator("#search-results li a[href*='07_scaling']").first.click()
    expect(page.locator(".bd-article h1")).to_contain_text("Scaling")


def test_a_figure_and_the_translator_answer(open_unpacked):
    page = open_unpacked("book/preface.html")
    figure = host_of(page, "attention_explorer")
    before = values(figure)
    control(figure, "Token 1, entry 1").press("ArrowUp")
    assert values(figure) != before
    translator = host_of(page, "translator")
    translator.locator("input.tr-text").fill("le chien mange")
    settle(translator)
    expect(status(translator)).to_contain_text("the dog eats")
