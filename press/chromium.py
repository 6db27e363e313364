"""An installed Chromium, else the one that Playwright keeps, shut off from the network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    # A machine that stands still for a while is no process that hangs.
    "--disable-gpu-watchdog",
    "--disable-gpu-process-crash-limit",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser.

    Raises:
        ValueError: there is none.
    """
    installed = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        if not installed and not Path(playwright.chromium.executable_path).exists():
            raise ValueError("a browser is needed: install chromium, or Chrome")
        browser = playwright.chromium.launch(executable_path=installed, args=QUIET)
        yield browser
        browser.close()
