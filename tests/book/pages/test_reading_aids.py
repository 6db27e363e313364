"""Pages under readers' own settings: zoom, text spacing, forced colours, reduced motion."""

import io
from itertools import combinations, starmap

import pytest
from conftest import CHAPTER
from live import OUTSIDE, figure_on, host_of, in_theme, resized, to_middle
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, expect
from sampling import sample
from specs import FIGURES

SAMPLE = [
    "search.html",
    "404.html",
    "book/bibliography.html",
    "book/figures_attention.html",
    "notebooks/06_the_cat_sat.html",
]
ZOOMS = {200: 640, 400: 320}  # a screen of 1280 pixels holds so many at that zoom
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


def test_a_page_needs_no_sideways_scrolling_when_enlarged(touched, name):
    page = touched(name, "desk")
    for width in ZOOMS.values():
        with resized(page, width, 600):
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


# What is drawn: an svg's mark, and boxes in figures or empty ones, each with its name, whether it
# has a picture or a shadow (a bar, a hatch), a shade other than its ground, and which edges.
# What only lies on the color of raised paper is a panel, and no mark.
MARKS = """() => {
  const dot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixels = new Map();
  const pixel = (...colors) => {
    const key = colors.join();
    if (!pixels.has(key)) {
      for (dot.fillStyle of colors) dot.fillRect(0, 0, 1, 1);
      pixels.set(key, dot.getImageData(0, 0, 1, 1).data);
    }
    return pixels.get(key);
  };
  const differs = (color, ground) => color.startsWith("url(") || (color !== "none"
    && pixel(ground, color).some((x, i) => Math.abs(x - pixel(ground)[i]) > 9));
  const grounds = new Map();
  const groundOf = (e) => {
    if (!grounds.has(e)) {
      const { backgroundColor } = getComputedStyle(e);
      const own = !e.parentElement || backgroundColor.startsWith("rgb(");
      grounds.set(e, own ? backgroundColor : groundOf(e.parentElement));
    }
    return grounds.get(e);
  };
  const panel = document.body.appendChild(document.createElement("i"));
  panel.style = "color: var(--tl-raised); forced-color-adjust: none";
  const raised = getComputedStyle(panel).color;
  panel.remove();
  const look = (e, part, style) => {
    const svg = e.closest("svg");
    const ground = groundOf(svg ?? (part ? e : e.parentElement));
    if (svg) {
      const line = parseFloat(style.strokeWidth) > 0 && differs(style.stroke, ground);
      return { drawn: line || differs(style.fill, ground) };
    }
    const edges = ["top", "right", "bottom", "left"].map((side) => `border-${side}`)
      .concat("outline").filter((edge) => style.getPropertyValue(`${edge}-style`) !== "none"
        && parseFloat(style.getPropertyValue(`${edge}-width`)) > 0
        && differs(style.getPropertyValue(`${edge}-color`), ground));
    const { backgroundColor, backgroundImage, boxShadow } = style;
    return {
      drawn: /url|gradient/.test(backgroundImage) || boxShadow !== "none",
      shaded: backgroundColor !== raised && differs(backgroundColor, ground),
      edges: edges.join(),
    };
  };
  const STOP = ' tabindex="0"';  // a page gives it to what scrolls once it rests
  const shapes = "svg :is(path, rect, circle, ellipse, line, polygon, polyline):not(defs *)";
  const boxes = ":is(.tl-figure, .tl-host, .tl-diagram) :not(svg, svg *), :empty:not(svg, svg *)";
  const own = ".katex *, canvas, input, select, button";  // what the browser draws
  return [...document.querySelectorAll(`article :is(${shapes}, ${boxes}):not(${own})`)]
    .filter((e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .flatMap((e) => (e.closest("svg") ? [""] : ["", "::before", "::after"]).flatMap((part) => {
      const style = getComputedStyle(e, part || null);
      return part && !style.content.startsWith('"') ? []
        : [[`${e.outerHTML.replace(STOP, "").slice(0, 100)}${part}`, look(e, part, style)]];
    }));
}"""


def is_lost(before: dict, after: dict) -> bool:
    """Return whether a mark is not drawn any more; a shade may give way to an edge."""
    if before["drawn"]:
        return not after["drawn"] and after.get("edges") == before.get("edges")
    return before.get("shaded", False) and not (after["drawn"] or after["shaded"] or after["edges"])


def test_no_mark_vanishes_in_forced_colours(touched, name):
    page = touched(name, "desk")
    for figure in page.locator(".tl-host[data-assets]").all():
        host_of(page, figure.get_attribute("data-figure"))
    for scheme in ("light", "dark"):
        with in_theme(page, scheme):
            before = page.evaluate(MARKS)
            page.emulate_media(forced_colors="active")
            after = page.evaluate(MARKS)
            page.emulate_media(forced_colors="none")
        assert [mark for mark, _ in after] == [mark for mark, _ in before]
        pairs = zip(before, after, strict=True)
        assert [mark for (mark, was), (_, now) in pairs if is_lost(was, now)] == []


@pytest.mark.parametrize("name", [CHAPTER])
def test_the_section_that_is_read_is_marked_in_forced_colours(touched, name):
    page = touched(name, "desk")
    to_middle(page.locator("article h2").nth(2))
    lines = ".toc-entry a.nav-link"
    expect(page.locator(f"{lines}.active").first).to_be_visible()
    page.emulate_media(forced_colors="active")
    marked = page.locator(lines).evaluate_all(
        "(all) => all.map((e) => [e.matches('.active, [aria-current=true]'),"
        " getComputedStyle(e).textDecorationLine === 'underline'])"
    )
    page.emulate_media(forced_colors="none")
    assert all(active == underlined for active, underlined in marked)


KEYS = ".lf-live :is(.tl-signs, .tl-legend, .rt-legend)"
# Of each entry of a key, the box of what is drawn before its name.
SWATCHES = """(key) => [...key.children].filter((entry) => entry.checkVisibility(
  { visibilityProperty: true })).map((entry) => {
  const name = document.createRange();
  name.selectNode([...entry.childNodes].findLast((part) => part.nodeType === Node.TEXT_NODE));
  const { x, y, height } = entry.getBoundingClientRect();
  return { x, y, height, width: name.getClientRects()[0].x - x };
}).filter(({ width }) => width > 4)"""


def sign(page: Page, clip: dict[str, float]) -> Image.Image | None:
    """Return what is drawn in a box of the screen, without the ground around it."""
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
    ground = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
    box = ImageChops.difference(picture, ground).point(lambda x: 255 * (x > 40)).getbbox()
    return box and picture.crop(box)


def are_alike(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures have the same size, and nearly the same pixels."""
    near = all(abs(a - b) <= 1 for a, b in zip(one.size, other.size, strict=True))
    return near and max(ImageStat.Stat(ImageChops.difference(one, other)).mean) < 10


@pytest.mark.parametrize("cls", FIGURES)
def test_the_symbols_of_a_legend_differ_in_forced_colours(touched, cls):
    host = figure_on(touched, cls, "desk")
    keys = host.locator(KEYS).locator("visible=true").all()
    for scheme in ("light", "dark") if keys else ():
        with in_theme(host.page, scheme):
            host.page.emulate_media(forced_colors="active")
            for key in keys:
                to_middle(key)
                signs = [sign(host.page, box) for box in key.evaluate(SWATCHES)]
                assert None not in signs, "a sign is not drawn"
                assert not any(starmap(are_alike, combinations(signs, 2))), "two look the same"
            host.page.emulate_media(forced_colors="none")


@pytest.mark.parametrize("name", SAMPLE)
def test_wider_text_spacing_clips_nothing(touched, name):
    page = touched(name, "desk")
    spaced = page.add_style_tag(content=SPACED)
    found = page.evaluate(CLIPPED), page.evaluate(OUTSIDE)
    spaced.evaluate("(style) => style.remove()")
    assert found == ([], [])


@pytest.mark.parametrize("colours", ["none", "active"])
@pytest.mark.parametrize("name", SAMPLE)
def test_the_focus_is_visible_with_and_without_forced_colours(touched, name, colours):
    page = touched(name, "desk")
    page.emulate_media(forced_colors=colours)
    page.locator("body").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    hidden = []
    for _ in range(25):
        page.keyboard.press("Tab")
        hidden.append(page.evaluate(UNMARKED))
    page.emulate_media(forced_colors="none")
    assert [link for link in hidden if link] == []


def test_reduced_motion_turns_off_animations(touched, name):
    page = touched(name, "desk")  # which asks for reduced motion
    assert page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert page.evaluate(MOVING) == []
    with in_theme(page, "dark"):
        assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("name", sample(SAMPLE, 2))
def test_without_scripts_a_phone_shows_the_sidebar_and_no_dead_buttons(open_page, name):
    page = open_page(name, scripts=False, width=390)
    sidebar = page.locator(".bd-sidebar-primary")
    expect(sidebar.get_by_role("link", name="Glossary")).to_be_visible()
    assert sidebar.bounding_box()["width"] > 300
    assert page.locator(".bd-header-article button").locator("visible=true").count() == 0
    assert page.locator("html").evaluate("(e) => e.scrollWidth") <= 390
