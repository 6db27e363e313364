"""A figure with an asset of 300 KB in a small book: built, loaded late, missing, reloaded.

The book is the one in tests/lessons/kit/figures/asset_sample. Its two figures are far below the
first screen.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asset_sample.sample import measures
from conftest import ROOT, listened, served, watched
from live import tab_to
from playwright.sync_api import Browser, Locator, Page, Route, expect
from test_accessibility import axe

ROWS = (3, 5)
ASSETS = "**/figures/assets/*.js"
LOADING = "Loading the model, 0.3 MB …"
LOST = re.compile(r"^Could not load the model\.")


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder of the two builds and their output."""
    folder = tmp_path_factory.mktemp("books")
    script = ROOT / "tests/lessons/kit/figures/asset_sample/book.py"
    subprocess.run([sys.executable, script, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def small_site(books: Path) -> Iterator[str]:
    with served(books / "first") as address:
        yield address


@pytest.fixture
def open_small(browser: Browser, small_site: str, books: Path) -> Iterator[Callable[..., Page]]:
    """Open the page of the small book; what it does is judged in the end."""
    with watched(browser, small_site, books / "first") as open_one:
        yield lambda **options: open_one("far.html", **options)


def asset_names(book: Path) -> list[str]:
    """Return the names of the assets that a build has written."""
    return [path.stem for path in (book / "_static/figures/assets").iterdir()]


def listed(book: Path) -> list[str]:
    """Return the assets that the figures of a built page ask for."""
    return re.findall("&quot;key&quot;: &quot;(\\w+)&quot;", (book / "far.html").read_text("utf-8"))


# The build


def test_two_figures_share_one_asset_file_outside_the_pages(books):
    assert (books / "first.txt").read_text("utf-8") == "0 "
    assert listed(books / "first") == asset_names(books / "first") * 2
    assert (books / "first/far.html").stat().st_size < 20_000
    assert not re.search("figures/\\w+\\.js", (books / "first/index.html").read_text("utf-8"))


def test_a_missing_asset_stops_the_build_and_is_named(books):
    said = (books / "missing.txt").read_text("utf-8")
    missing = f"far: AssetSample needs its asset 'model': there is no file {books}/source/model.bin"
    assert said == f"2 \nExtension error:\n{missing}\n"


# The page


def requests_of(page: Page) -> list[str]:
    """Return a list that grows with every request for an asset."""
    found: list[str] = []
    page.on("request", lambda r: found.append(r.url) if "/figures/assets/" in r.url else None)
    return found


def hosts(page: Page) -> list[Locator]:
    return page.locator("[data-figure='asset_sample']").all()


def scroll_near(page: Page) -> None:
    """Scroll until the first figure is half a screen below the visible part."""
    page.evaluate("""() => {
      const { top } = document.querySelector(".tl-host").getBoundingClientRect();
      scrollTo(0, top - 1.5 * innerHeight);
    }""")


def require(host: Locator, row: int) -> None:
    """Require that a figure is live and shows the numbers that Python finds."""
    expect(host.locator(".lf-live")).to_be_visible()
    expect(host.locator(".lf-static")).to_be_hidden()
    expect(host.locator(".lf-live .tl-status")).to_contain_text(f"Row {row} has")
    shown = json.loads(host.locator(".lf-live").get_attribute("data-measures"))
    assert shown == pytest.approx(measures(row), rel=1e-9)


def notice(host: Locator) -> Locator:
    return host.locator(".lf-notice")


def judge(page: Page, state: str) -> None:
    """Require that axe finds nothing in the figures, light and dark."""
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
        assert axe(page, (".tl-host",)) == [], f"{state}, {theme}"


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_an_asset_loads_once_when_a_figure_is_near_the_screen(open_small, scheme):
    page = open_small(scheme=scheme)
    asked = requests_of(page)
    page.mouse.wheel(0, 300)
    page.wait_for_function("scrollY === 300")
    for host in hosts(page):
        expect(host.locator(".lf-static")).to_be_visible()
        assert notice(host).inner_text() == ""
    assert asked == []

    scroll_near(page)
    for host, row in zip(hosts(page), ROWS, strict=True):
        require(host, row)
    assert len(asked) == 1
    assert page.evaluate("document.activeElement === document.body")
    slider = hosts(page)[0].get_by_role("slider", name="row")
    slider.press("ArrowRight")
    require(hosts(page)[0], ROWS[0] + 1)
    require(hosts(page)[1], ROWS[1])


def test_a_loading_figure_shows_a_notice_and_its_static_picture(open_small):
    page = open_small()
    held: list[Route] = []
    page.route(ASSETS, lambda route: held.append(route))
    scroll_near(page)
    host = hosts(page)[0]
    expect(notice(host).get_by_role("status")).to_have_text(LOADING)
    host.scroll_into_view_if_needed()
    expect(notice(host)).to_be_visible()
    expect(host.locator(".lf-static")).to_be_visible()
    judge(page, "loading")
    page.emulate_media(media="print")
    expect(notice(host)).to_be_hidden()
    expect(host.locator(".lf-static")).to_be_visible()
    page.emulate_media(media="screen")

    [route] = held
    route.continue_()
    require(host, ROWS[0])
    expect(notice(host)).to_have_text("The figure is ready.")
    judge(page, "ready")
    page.emulate_media(media="print")
    expect(host.locator(".lf-static")).to_be_visible()
    expect(host.locator(".lf-live")).to_be_hidden()


def test_missing_asset_can_be_reloaded_by_keyboard(browser, small_site):
    with browser.new_context() as context:
        page = listened(context).new_page()
        unhandled: list[str] = []
        page.on("pageerror", lambda error: unhandled.append(str(error)))
        asked = requests_of(page)
        page.goto(f"{small_site}/far.html")
        answers: list[Callable[[Route], None]] = [lambda route: route.abort()]
        page.route(ASSETS, lambda route: answers[-1](route))  # one route: changing it loses events
        scroll_near(page)
        first, second = hosts(page)
        for host in (first, second):
            expect(notice(host).get_by_role("status")).to_have_text(LOST)
            expect(host.locator(".lf-static")).to_be_visible()
        judge(page, "failed")

        asked.clear()
        again = first.get_by_role("button", name="Try again")
        page.locator("h1").click()  # the reader's place, from which Tab leads to the button
        tab_to(page, again, 20)
        answers.append(lambda r: r.fulfill(body="garbage(", content_type="text/javascript"))
        page.keyboard.press("Enter")
        expect(again).to_be_focused()  # it went, and came back where the reader was
        assert len(asked) == 1

        answers.append(lambda route: route.continue_())
        page.keyboard.press("Enter")
        require(first, ROWS[0])
        expect(first.locator(".lf-live")).to_be_focused()
        expect(notice(second).get_by_role("status")).to_have_text(LOST)
        second.get_by_role("button", name="Try again").click()
        require(second, ROWS[1])
        assert len(asked) == 2  # damaged, and whole; the second figure took what was there
        assert [text for text in unhandled if "garbage" not in text] == ["Unexpected end of input"]


def test_only_the_picture_appears_without_scripts(open_small):
    page = open_small(scripts=False)
    for host in hosts(page):
        expect(host.locator(".lf-static")).to_be_visible()
        expect(notice(host)).to_have_count(0)
