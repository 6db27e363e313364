"""The built book in a real Chromium that cannot reach anything outside this machine.

`make test` builds the book first. To look at another build, set BOOK_HTML to its folder.
"""

import functools
import http.server
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chromium import chromium
from live import reset
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Route,
    expect,
)
from specs import SPEC_OF

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BOOK = Path(os.environ.get("BOOK_HTML", ROOT / "_build/test/_build/html")).resolve()
AXE = ROOT / "node_modules/axe-core/axe.min.js"
# They bring pages of their own.
WITHOUT_BOOK = {
    "test_jupyterlab.py",
    "test_figure_assets.py",
    "test_drills_live.py",
    "test_versions_live.py",
}
VIEWS = {
    "desk": {},
    "phone": {"scheme": "file", "theme": "dark", "width": 360, "height": 740},
    "plain": {"scripts": False},
}


def built_pages() -> list[str]:
    """Return every page of the book, without the redirect at its root."""
    pages = [path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html")]
    return sorted(page for page in pages if page != "index.html" and "_static/" not in page)


expect.set_options(timeout=20_000)  # a busy machine may be many times slower
View = Callable[[str, str], Page]
PAGES = built_pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
LIGHT_PAGE = "book/bibliography.html"  # for what is the same on all pages


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests recorded, also when they ran in other processes."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for line in dict(report.user_properties).get("table", "").splitlines():
            terminalreporter.write_line(line)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Write nothing: what matters of a request is recorded in the browser."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Yield the address of a folder over http."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built book over http."""
    with served(BOOK) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """An installed Chromium, else the one that Playwright keeps."""
    with chromium() as browser:
        yield browser


class Watch:
    """Opens pages of a book and notes what they ought not to do.

    Noted are requests for something outside the book, files that are missing and errors in the
    console.
    """

    def __init__(self, browser: Browser, site: str, book: Path = BOOK):
        self.browser, self.site, self.book = browser, site, book
        self.contexts: list[BrowserContext] = []
        self.outside: list[str] = []
        self.errors: list[str] = []

    def open(
        self,
        name: str,
        *,
        scheme: str = "http",
        theme: str = "light",
        width: int = 1280,
        height: int = 900,
        scripts: bool = True,
    ) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        self.contexts.append(context)
        context.route("**/*", self._guard)
        page = context.new_page()
        page.on("console", lambda message: self._hear(name, message))
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        page.on("requestfailed", self._failed)
        page.goto(f"{self.site if scheme == 'http' else self.book.as_uri()}/{name}")
        if scripts:
            settle(page)
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.unroute_all(behavior="ignoreErrors")  # closing waits for a request under guard
            context.close()
        self.contexts.clear()

    def judge(self) -> None:
        """Fail if anything was noted since the last time."""
        outside, errors = self.outside[:], self.errors[:]
        self.outside.clear()
        self.errors.clear()
        assert outside == [], "requests outside the book"
        assert errors == [], "errors in the browser"

    def _guard(self, route: Route) -> None:
        if route.request.url.startswith((f"{self.site}/", self.book.as_uri(), "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()

    def _hear(self, name: str, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{name}: {message.text}")

    def _failed(self, request: Request) -> None:
        # A page that is left drops what it was still loading; that is no fault of the page.
        if request.failure != "net::ERR_ABORTED":
            self.errors.append(f"{request.url}: {request.failure}")


@contextmanager
def watched(browser: Browser, site: str, book: Path = BOOK) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens pages of the book, and judge what they did when all is done."""
    watch = Watch(browser, site, book)
    yield watch.open
    watch.close()
    watch.judge()


def settle(page: Page) -> None:
    """Wait until the fonts have come."""
    page.evaluate("() => document.fonts.ready.then(() => true)")


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open pages: `open_page("notebooks/08_masks.html", theme="dark", width=390)`."""
    with watched(browser, site) as open_one:
        yield open_one


class Shelf:
    """One page of the book at a time, open in the views that its tests asked for.

    To load a page costs more than most of what is looked at on it, so the tests of a page share
    it. They stand together, those that change the page last: see `pytest_collection_modifyitems`.
    """

    def __init__(self, watch: Watch):
        self.watch, self.name = watch, ""
        self.pages: dict[str, Page] = {}

    def view(self, name: str, kind: str) -> Page:
        """Return a page in one of the `VIEWS`."""
        if name != self.name:
            self.watch.close()
            self.pages.clear()
            self.name = name
        if kind not in self.pages:
            self.pages[kind] = self.watch.open(name, **VIEWS[kind])
        return self.pages[kind]


@pytest.fixture(scope="session")
def shelf(browser: Browser, site: str) -> Iterator[Shelf]:
    shelf = Shelf(Watch(browser, site))
    yield shelf
    shelf.watch.close()
    shelf.watch.judge()


@pytest.fixture
def view(shelf: Shelf) -> Iterator[View]:
    """A page of the book for tests that leave it as it is: `view("book/api.html", "phone")`."""
    yield shelf.view
    shelf.watch.judge()


@pytest.fixture
def touched(view: View) -> View:
    """The same pages for tests that change them: these run after the tests that only look."""
    return view


@pytest.fixture
def fresh(touched: View) -> Callable[..., Locator]:
    """A figure in its first state, after Reset: `fresh(MaskLab)`, `fresh(MaskLab, "phone")`."""
    return lambda cls, kind="desk": reset(touched, cls, kind)


@pytest.fixture(params=PAGES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each page of the book in turn."""
    return request.param


@pytest.fixture
def desk(view: View, name: str) -> Page:
    """Each page over http, light, on a desktop."""
    return view(name, "desk")


@pytest.fixture
def phone(view: View, name: str) -> Page:
    """Each page from a file, dark, on a phone."""
    return view(name, "phone")


@pytest.fixture
def plain(view: View, name: str) -> Page:
    """Each page without scripts."""
    return view(name, "plain")


def page_of(item: pytest.Function) -> str:
    """Return the page that a test looks at; without one, the file in which it stands."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    cls = parameters.get("cls", getattr(item.module, "FIGURE", None))
    page = parameters.get("name") or (SPEC_OF[cls].HOME if cls in SPEC_OF else item.path.name)
    return str(page)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Bring the tests of a page together, in one process.

    First come those that only look, then those that change the page, and last those that reset
    the figure that they change: nothing else is put back.
    """
    here = [item for item in items if item.path.parent == HERE]
    if not CHAPTERS and any(item.path.name not in WITHOUT_BOOK for item in here):
        raise pytest.UsageError(f"no built book in {BOOK}: run make test, or set BOOK_HTML")
    for item in here:
        item.add_marker(pytest.mark.xdist_group(page_of(item)))
    changes = ("touched", "fresh")
    here.sort(key=lambda item: (page_of(item), *(name in item.fixturenames for name in changes)))
    items[:] = [*(item for item in items if item.path.parent != HERE), *here]
