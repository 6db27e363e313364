"""The live figures for every reader: without scripts, on paper, by axe's rules, on a phone."""

import re

import pytest
from conftest import CHAPTERS
from controls import control, saved_state
from live import host_of, open_figure, texts
from playwright.sync_api import Locator, expect
from specs import FIGURES, SPEC_OF, functions
from test_accessibility import check

NUMBER = re.compile(r"−?(?:\d+(?:\.\d+)?(?:·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|∞)|NaN")


@pytest.mark.parametrize("cls", FIGURES)
def test_the_picture_holds_the_first_numbers_without_scripts(open_page, cls):
    live = texts(open_figure(open_page, cls))
    page = open_page(SPEC_OF[cls].HOME, scripts=False)
    picture = page.locator(f"[data-figure='{cls.name}'] .lf-static").first
    assert picture.is_visible()
    assert set(live) <= set(NUMBER.findall(picture.inner_text()))


def test_a_question_without_scripts_still_has_its_choices(open_page):
    for picture in open_page(CHAPTERS[0], scripts=False).locator("[data-figure='question']").all():
        state = saved_state(picture)
        text = picture.locator(".lf-static").inner_text()
        assert state["prompt"] in text
        assert all(choice["text"] in text for choice in state["choices"])


@pytest.mark.parametrize("cls", FIGURES)
def test_the_picture_replaces_the_figure_in_print(open_page, cls):
    host = open_figure(open_page, cls)
    host.page.emulate_media(media="print")
    expect(host.locator(".lf-live")).to_be_hidden()
    expect(host.locator(".lf-static")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("cls", FIGURES)
def test_axe_finds_no_violation_after_some_changes(open_page, cls, width):
    host = open_figure(open_page, cls, width=width)
    quiz = host_of(host.page, "question")
    quiz.get_by_role("radio").first.check()
    quiz.get_by_role("button").click()
    found, within = [], (f"[data-figure='{cls.name}']", "[data-figure='question']")
    for _, change in (pair for pair in functions("make_unusual") if pair[0] is cls):
        change(host)
        found += check(host.page, f"{change.__name__}, {width} px", within=within)
    assert not found, "\n".join(found)


def too_small(host: Locator) -> list:
    """Return the visible controls under 24 × 24 px."""
    return host.evaluate("""(e) => [...e.querySelectorAll("input, select, button, summary")]
      .filter((x) => x.checkVisibility())
      .map((x) => [x.getBoundingClientRect(), x.outerHTML])
      .filter(([box]) => Math.min(box.width, box.height) < 24)""")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("cls", FIGURES)
def test_controls_are_large_enough_and_the_page_fits(open_page, cls, width):
    host = open_figure(open_page, cls, width=width)
    for view in getattr(SPEC_OF[cls], "VIEWS", [None]):
        if view:
            control(host, view).check()
        assert too_small(host) == []
        assert host.page.evaluate("document.documentElement.scrollWidth") <= width
    assert too_small(host_of(host.page, "question")) == []
