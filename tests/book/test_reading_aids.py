"""Pages for readers who set them to their eyes: zoom, text spacing, forced colours, no motion."""

import re

import pytest
from conftest import CHAPTERS, PAGES
from live import resized
from playwright.sync_api import expect
from todays import todays

SAMPLE = [
    "search.html",
    "404.html",
    "book/bibliography.html",
    "book/figures.html",
    "notebooks/05_attention.html",
]
ZOOMS = {200: 640, 400: 320}  # a screen of 1280 pixels holds so many at that zoom
PAPER = 680  # pixels between the margins of A4
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
MOVING = """() => document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().activeDuration > 10)
  .map((one) => one.effect.target.outerHTML.slice(0, 100))"""
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


def test_a_page_needs_no_sideways_scrolling_when_enlarged(touched, name):
    page = touched(name, "desk")
    for width in ZOOMS.values():
        with resized(page, width, 600):
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


# What has a color of its own and no text: a swatch of a key, a bar, a point.
PAINTED = """() => [...document.querySelectorAll(".lf-live *")].flatMap((e) =>
  (e.checkVisibility() ? ["", "::before", "::after"] : []).flatMap((part) => {
    const style = getComputedStyle(e, part || null);
    if (part ? !style.content.startsWith('"') : e.textContent.trim() || e.closest("svg, canvas"))
      return [];
    const paint = [style.backgroundColor, style.backgroundImage].join(" ");
    const none = paint === "rgba(0, 0, 0, 0) none";
    return none || e.matches("input, button, select") ? [] : [[`${e.className}${part}`, paint]];
  }))"""
CANVAS = {"rgb(255, 255, 255) none", "rgb(0, 0, 0) none", "rgba(0, 0, 0, 0) none"}
# What only shades what is written as a number beside it, or frames it.
SHADES = re.compile(r"tl-raised|tl-room|tj-lane")


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_only_a_color_tells_keeps_it_in_forced_colours(touched, name):
    page = touched(name, "desk")
    before = dict(page.evaluate(PAINTED))
    page.emulate_media(forced_colors="active")
    after = dict(page.evaluate(PAINTED))
    page.emulate_media(forced_colors="none")
    painted = {part for part, paint in before.items() if paint not in CANVAS}
    lost = {part for part in painted if after.get(part, "") in CANVAS | {""}}
    assert [part for part in lost if not SHADES.search(part)] == []


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
def test_another_theme_comes_at_once_for_those_who_want_no_motion(open_page, name):
    page = open_page(name)  # which asks for reduced motion
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    assert page.evaluate(MOVING) == []


def test_nothing_moves_by_itself_for_those_who_want_no_motion(desk):
    assert desk.evaluate(MOVING) == []


def test_paper_is_wide_enough(touched, name):
    page = touched(name, "desk")
    page.emulate_media(media="print")
    with resized(page, PAPER, 1000):
        outside = page.evaluate(OUTSIDE)
    page.emulate_media(media="screen")
    assert outside == []


@pytest.mark.parametrize("name", todays(SAMPLE, 2))
def test_without_scripts_a_phone_has_the_list_and_no_dead_button(open_page, name):
    page = open_page(name, scripts=False, width=390)
    sidebar = page.locator(".bd-sidebar-primary")
    expect(sidebar.get_by_role("link", name="Glossary")).to_be_visible()
    assert sidebar.bounding_box()["width"] > 300
    assert page.locator(".bd-header-article button").locator("visible=true").count() == 0
    assert page.locator("html").evaluate("(e) => e.scrollWidth") <= 390
