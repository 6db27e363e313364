"""A tour as a lesson: the projector shows a figure at one moment a screen."""

import pytest
from controls import saved_state
from live import settle
from playwright.sync_api import Locator, Page, expect
from sampling import parameter
from specs import FIGURES, SPEC_OF
from test_projector import LOOK, SMALLEST, bar, count, place, projected

from lessons.kit.figures import LiveFigure, shared
from lessons.kit.figures.registry import AttentionExplorer

TOURED = [cls for cls in FIGURES if "tour" in shared(cls.script)]


def at_moment(open_page, cls: type[LiveFigure], moment: int, **options) -> Page:
    """Open a chapter at a moment of its figure."""
    return projected(
        open_page, f"{SPEC_OF[cls].HOME}#tour-{cls.name}-{moment}&projector", **options
    )


def host_and_says(page: Page, name: str) -> tuple[Locator, Locator]:
    """Return the figure of this name, and the text of its tour's current moment."""
    host = page.locator(f"[data-tour][data-figure='{name}']")
    return host, host.locator(".tl-tour-says")


def letters(text: Locator) -> float:
    """Return the size of its letters on the screen."""
    return text.evaluate(
        "(e) => Number.parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom"
    )


@pytest.mark.parametrize(
    "cls",
    [parameter(cls, cls is AttentionExplorer) for cls in TOURED],
    ids=lambda cls: cls.name,
)
def test_a_tour_shows_one_moment_per_screen(open_page, cls):
    page = at_moment(open_page, cls, 1, scheme="file", theme="dark")
    page.evaluate("window.all = []; window.hosts = []")
    host, says = host_and_says(page, cls.name)
    moments = cls(**saved_state(host)).moments()
    start = count(page)[0]
    for i, (_, text) in enumerate(moments, 1):
        expect(says).to_have_text(text)
        expect(place(page)).to_contain_text(f"moment {i} of {len(moments)}")
        page.wait_for_url(f"**/*#tour-{cls.name}-{i}&projector")
        assert count(page)[0] == start + i - 1
        settle(host)
        look = page.evaluate(f"({LOOK})()")
        assert (look["wide"], look["out"]) == (False, [])
        assert letters(says) >= SMALLEST
        expect(says).to_be_in_viewport(ratio=0.99)
        expect(host.locator(":is(input, select):visible").first).to_be_in_viewport()
        expect(host.locator(".tl-tour").get_by_role("button")).to_have_count(0)
        page.keyboard.press("ArrowRight")
    expect(says).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(says).to_have_text(moments[-1][1])


@pytest.mark.nightly
def test_an_address_opens_a_moment_that_stays_after_escape(open_page):
    page = projected(open_page, "notebooks/23_decoding.html#tour-translator-5&projector")
    host, says = host_and_says(page, "translator")  # it loads when its screen comes
    expect(says).to_contain_text("lawyer")
    expect(place(page)).to_contain_text("moment 5 of ")
    page.keyboard.press("Escape")
    expect(bar(page)).to_have_count(0)
    assert page.url.endswith("#tour-translator-5")
    expect(host.locator(".tl-tour-place")).to_have_text("5 of 6")
    expect(host.get_by_role("button", name="Next", exact=True)).to_be_visible()
