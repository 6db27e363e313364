"""Pages for readers who set them to their eyes: zoom, text spacing, forced colours, no motion."""

import pytest
from conftest import PAGES
from live import resized
from todays import todays

SAMPLE = [
    "search.html",
    "404.html",
    "book/bibliography.html",
    "book/figures.html",
    "notebooks/05_attention.html",
]
ZOOMS = {200: 640, 400: 320}  # a screen of 1280 pixels holds so many at that zoom
OUTSIDE = """() => {
  const boxed = (e) => e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)
    || boxed(e.parentElement.closest(".bd-article-container *")));
  return [...document.querySelectorAll(".bd-article-container *")]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility())
    .filter((e) => !e.closest(".katex-mathml, svg") && !boxed(e.parentElement))
    .map((e) => e.outerHTML.slice(0, 100));
}"""
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important } p { margin-bottom: 2em !important }"""
CLIPPED = """() => [...document.querySelectorAll("article :is(p, li, td, th, a, button, summary)")]
  .filter((e) => e.checkVisibility() && /hidden|clip/.test(getComputedStyle(e).overflow)
    && !e.matches(".tl-still *, .visually-hidden, .sr-only"))
  .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.outerHTML.slice(0, 100))"""

UNMARKED = """() => {
  const marked = (e) => e && getComputedStyle(e).outlineStyle !== "none";
  const now = document.activeElement;
  const box = now.closest(".bd-search, label, .tl-in-view");
  return now === document.body || marked(now) || marked(box) ? "" : now.outerHTML.slice(0, 100);
}"""


def test_the_sample_is_of_this_book():
    assert set(SAMPLE) <= set(PAGES)


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("name", SAMPLE)
def test_a_page_needs_no_sideways_scrolling_when_enlarged(touched, name, zoom):
    page = touched(name, "desk")
    with resized(page, ZOOMS[zoom], 600):
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMS[zoom]


@pytest.mark.parametrize("name", SAMPLE)
def test_text_may_be_spaced_out(touched, name):
    page = touched(name, "desk")
    spaced = page.add_style_tag(content=SPACED)
    found = page.evaluate(CLIPPED), page.evaluate(OUTSIDE)
    spaced.evaluate("(style) => style.remove()")
    assert found == ([], [])


@pytest.mark.parametrize("colours", ["none", "active"])
@pytest.mark.parametrize("name", SAMPLE)
def test_the_focus_is_seen_also_in_forced_colours(touched, name, colours):
    page = touched(name, "desk")
    page.emulate_media(forced_colors=colours)
    page.locator("body").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    hidden = []
    for _ in range(25):
        page.keyboard.press("Tab")
        hidden.append(page.evaluate(UNMARKED))
    page.emulate_media(forced_colors="none")
    assert [link for link in hidden if link] == []


@pytest.mark.parametrize("name", todays(SAMPLE, 2))
def test_nothing_moves_for_those_who_ask_for_it(open_page, name):
    page = open_page(name)  # which asks for reduced motion
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    moving = page.evaluate("""() => document.getAnimations()
      .filter((one) => one.effect.getComputedTiming().activeDuration > 10)
      .map((one) => one.effect.target.outerHTML.slice(0, 100))""")
    assert moving == []
