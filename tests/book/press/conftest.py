"""Fixtures of the press tests: a small built book and a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab
from three_pages import write_pages


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder of a small built book."""
    return write_pages(tmp_path_factory.mktemp("html"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Provide a browser; a process may have one alone."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Tab:
    """Provide an empty page of it."""
    return browser.new_page()
