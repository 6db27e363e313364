"""The walk on its page: its address, its keys, its chapters, and its weight."""

import re
from urllib.parse import urlsplit

import pytest
from conftest import BOOK, CHAPTERS
from live import host_of, settle, to_middle
from playwright.sync_api import Locator, Page, expect
from sampling import sample
from test_page_weight import weigh

from lessons.the_walk.walk.walk import PLACES

WALK = "book/the_walk.html"
PAGE_LIMIT = 200_000  # without the translator's weights
LIT = ".wk-inner [aria-current]"


def open_walk(open_page, query: str, **view) -> Locator:
    """Open the page with an address and return the figure."""
    return host_of(open_page(f"{WALK}#walk{query}", **view), "walk")


def expect_address(page: Page, **values: str) -> None:
    """Wait until the address of the page has these values."""
    parts = "".join(f"(?=.*[?&]{name}={re.escape(value)}(&|$))" for name, value in values.items())
    expect(page).to_have_url(re.compile(f"^[^#]*#walk(?=[?]){parts}"))


def test_changes_update_the_address_without_new_history_entries(open_page):
    host = open_walk(open_page, "")
    settle(host)
    host.get_by_label("Next station").press("Enter")
    expect_address(host.page, station="embedding.embedding")
    length = host.page.evaluate("history.length")
    for _ in range(5):
        host.get_by_label("Next station").press("Enter")
    expect_address(host.page, station="layer-1-attention.weights")
    assert host.page.evaluate("history.length") == length


@pytest.mark.parametrize("scheme", sample(["http", "file"], 1))
def test_the_address_restores_what_was_shown(open_page, scheme):
    host = open_walk(open_page, "", scheme=scheme)
    host.get_by_label("French", exact=True).fill("où est le chat ? & <b>")
    host.get_by_label("cross-attention").press("Enter")
    host.locator(".wk-english button").nth(1).press("Enter")
    host.get_by_label("cache").uncheck()
    expect_address(host.page, word="2", station="cross-attention.norm", cache="off")
    shown = host.locator(".lf-live").inner_text()
    again = host_of(open_page(f"{WALK}#{urlsplit(host.page.url).fragment}", scheme=scheme), "walk")
    expect(again.get_by_label("French", exact=True)).to_have_value("où est le chat ? & <b>")
    expect(again.get_by_label("cache")).not_to_be_checked()
    assert again.locator(".lf-live").inner_text() == shown


HOSTILE = [
    "?sentence=%3Cimg%20src%3Dx%20onerror%3Devil%3D1%3E&word=1e9&station=__proto__&moment=99",
    "?moment=-1&word=NaN&station=%00&cache=%22",
    "?moment=0x7&station=constructor",
    "-nowhere",
    "?%E0%A4%A&sentence=" + "a" * 5000,
    "?",
]


@pytest.mark.parametrize("query", sample(HOSTILE, 2))
def test_invalid_values_in_the_address_are_ignored(open_page, query):
    host = open_walk(open_page, query)
    settle(host)
    expect(host.locator(LIT)).to_have_text("tokens")
    expect(host.locator(".tl-tour-place")).to_be_hidden()
    assert host.locator(".lf-live img").count() == 0
    assert host.page.evaluate("typeof evil") == "undefined"


def test_keys_lead_from_station_to_station(open_page):
    host = open_walk(open_page, "?station=layer-1-attention.norm")
    host.locator(LIT).focus()
    for name in ("Q, K, V", "scores", "weights"):
        host.page.keyboard.press("ArrowRight")
        expect(host.locator(LIT)).to_have_text(name)
        expect(host.locator(LIT)).to_be_focused()
    host.page.keyboard.press("ArrowLeft")
    expect(host.locator(LIT)).to_have_text("scores")
    field = host.locator(".tl-field-cells").first
    field.focus()
    expect(host.locator(".wk-number")).to_contain_text("to “l'”")
    field.press("ArrowRight")
    expect(host.locator(".wk-number")).to_contain_text("to “avocat”")
    expect(host.locator(LIT)).to_have_text("scores")


def test_every_station_is_on_the_page_and_links_to_its_chapter():
    text = (BOOK / WALK).read_text(encoding="utf-8")
    for place in PLACES.values():
        assert (BOOK / f"notebooks/{place.station['chapter']}.html").is_file()
        assert f'id="walk-{place.id}"' in text


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_leads_to_its_station(name):
    stem = name.removeprefix("notebooks/").removesuffix(".html")
    first = next((p for p in PLACES.values() if p.station["chapter"] == stem), None)
    links = re.findall(r'href="[^"]*the_walk\.html#walk-([^"]+)"', (BOOK / name).read_text("utf-8"))
    assert links[:1] == ([first.id] if first else [])


def test_a_phone_needs_no_sideways_scroll(open_page):
    host = open_walk(open_page, "?station=masked-attention.qkv&word=3", width=360, height=740)
    page = host.page
    for query in ("?station=layer-1-feed-forward.hidden", "?station=output.logits", "?moment=9"):
        page.evaluate("(hash) => { location.hash = hash; }", f"walk{query}")
        expect(host.locator(".wk-number")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    to_middle(host.get_by_label("Next station"))
    expect(host.locator(".tl-color-field").first).to_be_in_viewport()


def test_the_page_is_light(open_page, record_property):
    host = open_walk(open_page, "")
    _, small = weigh(host.page)
    lines = [f"{kind:<26} {size:>11,}" for kind, size in small.most_common()]
    record_property("table", "\n".join([WALK, *lines]))
    assert small.total() - small["assets"] <= PAGE_LIMIT
