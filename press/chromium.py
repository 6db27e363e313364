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
    needed = "a browser is needed: install chromium, or Chrome"
    try:
        playwright = sync_playwright().start()
    except Exception as error:  # Playwright's own program may lack a library that a browser brings
        raise ValueError(needed) from error
    try:
        if not installed and not Path(playwright.chromium.executable_path).exists():
            raise ValueError(needed)
        browser = playwright.chromium.launch(executable_path=installed, args=QUIET)
        yield browser
        browser.close()
    finally:
        playwright.stop()
