"""The built book in a real Chromium that cannot reach anything outside this machine.

`make test` builds the book first. To look at another build, set BOOK_HTML to its folder.
"""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BOOK = Path(os.environ.get("BOOK_HTML", ROOT / "_build/test/_build/html")).resolve()
AXE = ROOT / "node_modules/axe-core/axe.min.js"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def built_pages() -> list[str]:
    """Return every page of the book, without the redirect at its root."""
    pages = [path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html")]
    return sorted(page for page in pages if page != "index.html" and "_static/" not in page)


PAGES = built_pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]


def pytest_sessionstart(session: pytest.Session) -> None:
    if not CHAPTERS:
        raise pytest.UsageError(f"no built book in {BOOK}: run make test, or set BOOK_HTML")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests recorded, also when they ran in other processes."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for line in dict(report.user_properties).get("table", "").splitlines():
            terminalreporter.write_line(line)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Write nothing: what matters of a request is recorded in the browser."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built book over http."""
    handler = functools.partial(_Quiet, directory=str(BOOK))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """An installed Chromium, else the one that Playwright keeps."""
    installed = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def watched(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens pages of the book, and judge what they did when all is done.

    It fails if any of them asked for something outside the book, if something was missing, or if
    the console got an error.
    """
    contexts, outside, errors = [], [], []

    def guard(route: Route) -> None:
        if route.request.url.startswith((f"{site}/", BOOK.as_uri(), "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    def failed(request: Request) -> None:
        # A page that is left drops what it was still loading; that is no fault of the page.
        if request.failure != "net::ERR_ABORTED":
            errors.append(f"{request.url}: {request.failure}")

    def open_one(
        name: str,
        *,
        scheme: str = "http",
        theme: str = "light",
        width: int = 1280,
        height: int = 900,
        scripts: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.route("**/*", guard)
        page = context.new_page()
        page.on("console", lambda m: errors.append(f"{name}: {m.text}") if m.type == "error" else 0)
        page.on("pageerror", lambda error: errors.append(f"{name}: {error}"))
        page.on("requestfailed", failed)
        page.goto(f"{site if scheme == 'http' else BOOK.as_uri()}/{name}")
        if scripts:
            settle(page)
        return page

    yield open_one
    for context in contexts:
        context.unroute_all(behavior="ignoreErrors")  # closing waits for a request under guard
        context.close()
    assert outside == [], "requests outside the book"
    assert errors == [], "errors in the browser"


def settle(page: Page) -> None:
    """Wait until the mathematics is typeset and the fonts have come."""
    page.evaluate("() => window.MathJax?.startup?.promise")
    page.evaluate("() => document.fonts.ready.then(() => true)")


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open pages: `open_page("notebooks/08_masks.html", theme="dark", width=390)`."""
    with watched(browser, site) as open_one:
        yield open_one


@pytest.fixture(scope="module", params=PAGES)
def page(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Each page of the book in turn, on a desktop, shared by the tests that only look at it."""
    with watched(browser, site) as open_one:
        yield open_one(request.param)
