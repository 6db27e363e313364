"""The built book in a real Chromium that cannot reach anything outside this machine.

`make test` builds the book first. To look at another build, set BOOK_HTML to its folder.
"""

import functools
import http.server
import os
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from chromium import chromium
from live import reset
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    expect,
)
from specs import FIGURES, SPEC_OF

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BOOK = Path(os.environ.get("BOOK_HTML", ROOT / "_build/test/_build/html")).resolve()
FAILED = ROOT / "_build/test/failed"  # what pages showed and said when a test failed
AXE = ROOT / "node_modules/axe-core/axe.min.js"
# They bring pages of their own.
WITHOUT_BOOK = {
    "test_jupyterlab.py",
    "test_figure_assets.py",
    "test_drills_live.py",
    "test_versions_live.py",
}
# Other hosts have no address. A route that checks each request would do the same, and a page would
# need a fifth longer to open.
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
VISITS = 60  # after so many views a page is opened again, so that no renderer lives for a whole run
VIEWS = {
    "desk": {},
    "phone": {"scheme": "file", "theme": "dark", "width": 360, "height": 740},
    "plain": {"scripts": False},
}


def built_pages() -> list[str]:
    """Return every page of the book, without the redirect at its root."""
    pages = [path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html")]
    return sorted(page for page in pages if page != "index.html" and "_static/" not in page)


PATIENCE = 30_000  # milliseconds, which are also Playwright's own: no test waits longer
expect.set_options(timeout=PATIENCE)
View = Callable[[str, str], Page]
PAGES = built_pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
CHAPTER = "notebooks/06_the_cat_sat.html"  # with typed numbers and predictions
# `make test` opens these pages, one of each kind, in all views, and ON_A_DESK on a desktop alone.
# `make nightly` opens every page in every view.
IN_ALL_VIEWS = {CHAPTER, "book/preface.html", "book/review.html"}
IN_ALL_VIEWS |= {"book/the_walk.html", "book/the_workbench.html"}
ON_A_DESK = {*IN_ALL_VIEWS, "search.html", "404.html"}
ON_A_DESK |= {"book/glossary.html", "book/teaching/attention.html"}
LOOKS = [(cls, kind) for cls in FIGURES for kind in ("desk", "phone")]
READY = """() => (document.documentElement.dataset.boxes === "seen"
  || !document.querySelector("script[src*='/shell.js']"))
  && !document.querySelector(".tl-host:not([data-assets], .lf-mounted, [data-notice])")"""
LIGHT_PAGE = "book/bibliography.html"  # for what is the same on all pages


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests recorded, also when they ran in other processes."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for line in dict(report.user_properties).get("table", "").splitlines():
            terminalreporter.write_line(line)


# What each page has said in its console.
CONSOLE_MESSAGES: dict[Page, list[str]] = defaultdict(list)


def listened(context: BrowserContext) -> BrowserContext:
    """Record what the pages of a context log, for the report of a test that fails."""

    def keep(page: Page | None, text: str) -> None:
        if page:
            CONSOLE_MESSAGES[page].append(text)

    def forget(page: Page) -> None:
        CONSOLE_MESSAGES.pop(page, None)

    context.on("console", lambda message: keep(message.page, f"{message.type}: {message.text}"))
    context.on("weberror", lambda error: keep(error.page, f"uncaught: {error.error}"))
    context.on("pageclose", forget)
    return context


def photographed(browser: Browser, test: str, folder: Path = FAILED) -> Iterator[str]:
    """Save each open page as a picture and as what its console said; yield what was saved."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", test.removeprefix("tests/book/"))[:150]
    pages = [page for context in browser.contexts for page in context.pages]
    for number, page in enumerate(pages, 1):
        picture = folder / f"{name}-{number}.png"
        said = [page.url, *CONSOLE_MESSAGES[page]]
        try:
            page.screenshot(path=picture, timeout=5_000)
        except Error as error:
            said.append(f"no picture: {error}")
        picture.with_suffix(".txt").write_text("\n".join(said), encoding="utf-8")
        yield f"{picture} and {picture.with_suffix('.txt').name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name what the pages showed when a test failed; the next test opens its page again."""
    report = yield
    shown = getattr(item, "funcargs", {})
    if report.failed and report.when != "teardown" and "browser" in shown:
        saved = [*photographed(shown["browser"], item.nodeid)]
        report.sections.append(("pages as they stood", "\n".join(saved)))
        if "shelf" in shown:
            shown["shelf"].clear()
    return report


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Write nothing: the browser records whatever matters about a request."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *args: object) -> None:
        """Report errors, except that a page was left before all its files had come."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*args)


@contextmanager
def served(folder: Path, headers: dict[str, str] | None = None) -> Iterator[str]:
    """Yield the address of a folder over http, which sends some headers with each file."""

    class Sending(_Quiet):
        def end_headers(self) -> None:
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            super().end_headers()

    handler = functools.partial(Sending, directory=str(folder))
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Provide the address of the built book over http."""
    with served(BOOK) as address:
        yield address


@pytest.fixture(scope="session")
def browser(worker_id: str) -> Iterator[Browser]:
    """Provide the first browser that starts; its log and the dump of a crashed tab are kept."""
    crashes = FAILED / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    os.environ["BREAKPAD_DUMP_LOCATION"] = str(crashes)
    log = f"--log-file={crashes / f'chromium-{worker_id}.log'}"
    with chromium("--enable-logging", log, NO_OTHER_HOST) as browser:
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
        self.contexts.append(listened(context))
        context.on("request", self._note)
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
            with suppress(Error):  # a tab that crashed has failed its own test, and only that
                context.close()
        self.contexts.clear()

    def judge(self) -> None:
        """Fail if anything was noted since the last time."""
        outside, errors = self.outside[:], self.errors[:]
        self.outside.clear()
        self.errors.clear()
        assert outside == [], "requests outside the book"
        assert errors == [], "errors in the browser"

    def _note(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site}/", self.book.as_uri(), "data:", "blob:")):
            self.outside.append(request.url)

    def _hear(self, name: str, message: ConsoleMessage) -> None:
        # A small book has no icon, which the browser asks for.
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):
            self.errors.append(f"{name}: {message.text}")

    def _failed(self, request: Request) -> None:
        # A page that is left drops what it was still loading; that is not an error of the page.
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
    """Wait until the fonts are loaded, the page is laid out, and its figures are live."""
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.wait_for_function(READY)


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open pages: `open_page("notebooks/08_masks.html", theme="dark", width=390)`."""
    with watched(browser, site) as open_one:
        yield open_one


class Shelf:
    """One page of the book at a time, open in the views that its tests asked for.

    To load a page costs more than most of what is looked at on it, so the tests of a page share
    it. They run together, those that change the page last: see `pytest_collection_modifyitems`.
    """

    def __init__(self, watch: Watch):
        self.watch, self.name, self.visits = watch, "", 0
        self.pages: dict[str, Page] = {}

    def view(self, name: str, kind: str) -> Page:
        """Return a page in one of the `VIEWS`."""
        if name != self.name or self.visits == VISITS:
            self.clear()
            self.name = name
        self.visits += 1
        if kind not in self.pages:
            self.pages[kind] = self.watch.open(name, **VIEWS[kind])
        return self.pages[kind]

    def clear(self) -> None:
        """Close the page: the next view is a fresh one."""
        self.watch.close()
        self.pages.clear()
        self.visits = 0


@pytest.fixture(scope="session")
def shelf(browser: Browser, site: str) -> Iterator[Shelf]:
    shelf = Shelf(Watch(browser, site))
    yield shelf
    shelf.watch.close()
    shelf.watch.judge()


@pytest.fixture
def view(shelf: Shelf) -> Iterator[View]:
    """Provide a page for tests that do not change it: `view("book/api.html", "phone")`."""
    yield shelf.view
    shelf.watch.judge()


@pytest.fixture
def opened(view: View) -> View:
    """Provide the same pages as they were opened, with listeners installed before."""
    return view


@pytest.fixture
def touched(view: View) -> View:
    """Provide the same pages for tests that change them, which run after the other tests."""
    return view


@pytest.fixture
def fresh(touched: View) -> Callable[..., Locator]:
    """Provide a figure after Reset: `fresh(MaskLab)`, `fresh(MaskLab, "phone")`."""
    return lambda cls, kind="desk": reset(touched, cls, kind)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that names no page on every page."""
    marks = metafunc.definition.iter_markers("parametrize")
    if "name" in metafunc.fixturenames and not any("name" in str(mark.args[0]) for mark in marks):
        metafunc.parametrize("name", PAGES)


@pytest.fixture
def desk(view: View, name: str) -> Page:
    """Provide a page over http, light, on a desktop."""
    return view(name, "desk")


@pytest.fixture
def phone(view: View, name: str) -> Page:
    """Provide a page from a file, dark, on a phone."""
    return view(name, "phone")


@pytest.fixture
def plain(view: View, name: str) -> Page:
    """Provide a page without scripts."""
    return view(name, "plain")


def page_of(item: pytest.Function) -> str:
    """Return the page that a test opens, or the test's file if it opens none."""
    if item.path.name in WITHOUT_BOOK:
        return item.path.name
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    cls = parameters.get("cls", getattr(item.module, "FIGURE", None))
    page = parameters.get("name") or (SPEC_OF[cls].HOME if cls in SPEC_OF else item.path.name)
    return str(page)


def is_nightly(item: pytest.Function) -> bool:
    """Return whether a test opens a page, or a view of it, that only `make nightly` opens."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    views = {str(parameters.get("kind", "desk")), *item.fixturenames}
    desk = {*PAGES} if item.get_closest_marker("every_page") else ON_A_DESK
    opened = desk if views.isdisjoint({"phone", "plain"}) else IN_ALL_VIEWS
    return "browser" in item.fixturenames and page_of(item) in {*PAGES} - opened


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the tests that only `make nightly` runs, and group the tests of a page.

    First come those that watch it from its opening on and those that only look, then those that
    change the page, and last those that reset the figure that they change: nothing else is put
    back.
    """
    here = [item for item in items if item.path.parent == HERE]
    if not CHAPTERS and any(item.path.name not in WITHOUT_BOOK for item in here):
        raise pytest.UsageError(f"no built book in {BOOK}: run make test, or set BOOK_HTML")
    for item in here:
        item.add_marker(pytest.mark.xdist_group(page_of(item)))
        if is_nightly(item):
            item.add_marker(pytest.mark.nightly)

    def turn(item: pytest.Function) -> tuple:
        asked = item.fixturenames
        return page_of(item), "opened" not in asked, "touched" in asked, "fresh" in asked

    here.sort(key=turn)
    items[:] = [*(item for item in items if item.path.parent != HERE), *here]
