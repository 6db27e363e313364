"""The tours of the figures: each moment is reached, and shows the package's text."""

import pytest
from conftest import CHAPTER, CHAPTERS
from controls import saved_state
from live import agree, draw, scroll_near, snapshot, to_middle
from playwright.sync_api import Locator, expect
from sampling import parameter
from specs import SPECS

from lessons.kit.figures.registry import FIGURES

HOMES = {spec.HOME for spec in SPECS}
TOURED = [*CHAPTERS, *sorted(HOMES - {*CHAPTERS})]
TOP = "(host) => host.getBoundingClientRect().top"


def button(host: Locator, name: str) -> Locator:
    return host.locator(".tl-tour").get_by_role("button", name=name, exact=True)


def opened(host: Locator) -> Locator:
    """Bring a figure to the middle of the screen and begin its tour by the keyboard."""
    start = host.locator(".tl-tour button").first
    to_middle(start)
    start.press("Enter")
    expect(button(host, "Next")).to_be_focused()
    return host


@pytest.mark.parametrize(
    ("name", "kind"),
    [parameter((name, kind), name == CHAPTER) for name in TOURED for kind in ("desk", "phone")],
)
def test_every_moment_shows_the_text_that_the_package_computes(touched, name, kind):
    for host in touched(name, kind).locator("[data-tour]").all():
        figure = FIGURES[host.get_attribute("data-figure")](**saved_state(host))
        moments = figure.moments()
        least, most = figure.tour_length
        assert least <= len(moments) <= most
        scroll_near(host)
        host.locator(".lf-live .tl-status").first.wait_for(state="attached")
        agree(host, figure)  # opens what is folded
        before = snapshot(host)
        opened(host)
        draw(host.page)
        top = host.evaluate(TOP)
        for i, (there, text) in enumerate(moments, start=1):
            expect(host.locator(".tl-tour-place")).to_have_text(f"{i} of {len(moments)}")
            expect(host.locator(".tl-tour-says")).to_have_text(text)
            agree(host, there)
            assert host.evaluate(TOP) == pytest.approx(top, abs=2), "a moment scrolls the page"
            button(host, "Next").press("Enter")
        button(host, "End").press("Enter")
        expect(host.locator(".tl-tour button").first).to_be_focused()
        assert snapshot(host) == before


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_link_opens_a_figure_at_its_moment(touched, name):
    page = touched(name, "desk")
    for link in page.locator("article a[href^='#tour-']").all():
        figure, moment = link.get_attribute("href").removeprefix("#tour-").rsplit("-", 1)
        host = page.locator(f"[data-tour][data-figure='{figure}']")
        for _ in range(2):  # a second time from another moment
            link.evaluate("(link) => link.click()")  # a prediction may cover it
            expect(host.locator(".tl-tour-place")).to_contain_text(f"{moment} of ")
            expect(host.locator(".tl-tour")).to_be_in_viewport()
            button(host, "End").press("Enter")
