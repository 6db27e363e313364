"""The live figures for every reader: without scripts, by axe's rules, on a phone."""

import re

import pytest
from conftest import LOOKS
from controls import control, saved_state
from live import figure_on, host_of, settle, texts
from playwright.sync_api import Locator, Page
from specs import FIGURES, SPEC_OF, functions
from test_accessibility import OTHERS, check, without

NUMBER = re.compile(r"−?(?:\d+(?:\.\d+)?(?:·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?|∞)|NaN")


@pytest.mark.parametrize(("cls", "kind"), [(cls, "plain") for cls in FIGURES])
def test_the_static_picture_shows_the_first_numbers_without_scripts(view, cls, kind):
    live = texts(figure_on(view, cls, "desk"))
    page = view(SPEC_OF[cls].HOME, kind)
    picture = page.locator(f"[data-figure='{cls.name}'] .lf-static").first
    assert picture.is_visible()
    words = picture.inner_text()
    numbers = set(NUMBER.findall(words))
    assert [x for x in live if x not in (numbers if NUMBER.fullmatch(x) else words)] == []


def answer_a_question(page: Page, rightly: bool) -> None:
    """Answer the first question and mark it; a prediction has no right answer.

    Only chapters have a quiz.
    """
    questions = [
        (host, state["choices"])
        for host in page.locator("[data-figure='question']").all()
        if not (state := saved_state(host))["predict"]
    ]
    if not questions:
        return
    quiz, choices = questions[0]
    quiz.evaluate("(e) => { e.dataset.answered = ''; }")
    index = [choice["right"] for choice in choices].index(rightly)
    quiz.get_by_role("radio").nth(index).check()
    quiz.get_by_role("button").click()


@pytest.mark.parametrize(("cls", "kind"), LOOKS)
def test_axe_finds_no_violation_after_some_changes(fresh, cls, kind):
    host = fresh(cls, kind)
    answer_a_question(host.page, rightly=kind == "desk")
    found, within = [], [f"[data-figure='{cls.name}']"]
    if host.page.locator("[data-answered]").count():
        within.append("[data-answered]")
    with without(host.page, OTHERS, *within):
        for _, change in (pair for pair in functions("make_unusual") if pair[0] is cls):
            change(host)
            settle(host)
            found += check(host.page, f"{change.__name__}, {kind}", tuple(within))
    assert not found, "\n".join(found)


def too_small(host: Locator) -> list:
    """Return the visible controls under 24 × 24 px."""
    return host.evaluate("""(e) => [...e.querySelectorAll("input, select, button, summary")]
      .filter((x) => x.checkVisibility())
      .map((x) => [x.getBoundingClientRect(), x.outerHTML])
      .filter(([box]) => Math.min(box.width, box.height) < 24)""")


@pytest.mark.parametrize(("cls", "kind"), LOOKS)
def test_controls_are_large_enough_and_the_page_fits(fresh, cls, kind):
    host = fresh(cls, kind)
    for look in getattr(SPEC_OF[cls], "VIEWS", [None]):
        if look:
            control(host, look).check()
        assert too_small(host) == []
        width = host.page.viewport_size["width"]
        assert host.page.evaluate("document.documentElement.scrollWidth") <= width
    if host.page.locator("[data-figure='question']").count():
        assert too_small(host_of(host.page, "question")) == []
