"""axe finds no violation: every page light on a desktop, and dark on a phone.

On the desktop all rules are asked of the whole page. What another theme or width can break is
asked again on the phone, and of what buttons open and of what readers do to figures in the other
theme. That is looked at alone on its page: axe's work grows faster than what it reads.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from conftest import AXE, CHAPTER, LIGHT_PAGE, PAGES
from live import WITHOUT_TAB_STOP, in_theme, reach
from playwright.sync_api import Page
from sampling import sample

each_view = pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in PAGES for kind in ("desk", "phone")]
)
# The rules whose answer depends on colours and on how wide things are.
BY_THEME_AND_WIDTH = [
    *("color-contrast", "link-in-text-block", "target-size"),
    "scrollable-region-focusable",
]
# Of formulas in a row and on a line of their own, and of pieces of code and of signatures that look
# the same, one is enough: each is drawn from the same few boxes. Such a piece becomes plain text.
DOUBLES = """() => {
  const grounds = (e) => e && [getComputedStyle(e).backgroundColor, grounds(e.parentElement)];
  const look = (piece) => {
    const { color, fontSize, fontWeight, opacity } = getComputedStyle(piece);
    return [color, fontSize, fontWeight, opacity, grounds(piece)];
  };
  const whole = (piece) => [piece.tagName, look(piece), ...[...piece.children].map(whole)];
  const seen = new Set();
  const isSeen = (kind) => seen.has(JSON.stringify(kind)) || !seen.add(JSON.stringify(kind));
  const formulas = [...document.querySelectorAll(".katex-html")];
  const pieces = [...document.querySelectorAll("article .highlight span:not(:has(*))")];
  const signed = [...document.querySelectorAll("article .sig > :is(span, em):not(:has(a))")];
  return [
    ...formulas.filter((e) => isSeen([look(e), e.closest("div.math") !== null])),
    ...pieces.filter((e) => isSeen(look(e))),
    ...signed.filter((e) => isSeen(whole(e))),
  ];
}"""
OTHERS = """(selectors) => {
  const kept = selectors.map((one) => document.querySelector(one));
  const others = (e) => [...e.children].flatMap((child) => {
    if (kept.includes(child) || child.matches("script, style, link")) return [];
    return kept.some((one) => child.contains(one)) ? others(child) : [child];
  });
  return others(document.body);
}"""
TAKE_OFF = """(elements) => {
  const gone = elements.map((e) => [e, new Text(e.matches("span, em") ? e.textContent : "")]);
  for (const [element, mark] of gone) element.replaceWith(mark);
  window.bringBack = async () => {
    for (const [element, mark] of gone) mark.replaceWith(element);
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);  // observers have seen it
  };
}"""


def describe(violation: dict) -> str:
    """Return what axe found: the rule, how often, and where."""
    nodes = violation["nodes"]
    where = "\n    ".join(f"{node['target'][-1]}  {node['html'][:120]}" for node in nodes[:4])
    return f"{violation['id']} ×{len(nodes)}: {violation['help']}\n    {where}"


def axe(page: Page, within: tuple = ("html",), **options) -> list[str]:
    """Run axe on the current page, or on parts of it, and return what it found."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options |= {"resultTypes": ["violations"], "preload": page.url.startswith("http")}
    report = page.evaluate(
        "([within, options]) => axe.run({ include: within }, options)", [list(within), options]
    )  # an error where nothing is within
    for violation in report["violations"]:
        if violation["id"] == "target-size":
            violation["nodes"] = [node for node in violation["nodes"] if not has_equivalent(node)]
    return [describe(violation) for violation in report["violations"] if violation["nodes"]]


def violations(page: Page, within: tuple = ("html",), **options) -> list[str]:
    """Run axe once the page has checked what scrolls sideways."""
    reach(page)
    return axe(page, within, **options)


def has_equivalent(node: dict) -> bool:
    """Return whether a menu does the same: then WCAG 2.5.8 lets two handles lie close together.

    The handles of the word plane sit where the vectors put them.
    """
    return 'class="wp-handle' in node["html"]


@contextmanager
def without(page: Page, elements: str, *selectors: str) -> Iterator[None]:
    """Take elements off the page for a while; `elements` is the function that finds them."""
    page.evaluate(f"(selectors) => ({TAKE_OFF})(({elements})(selectors))", selectors)
    yield
    page.request_gc()  # each Range that axe has left would follow each change of the page
    page.evaluate("bringBack()")


def check(page: Page, state: str, within: tuple = ("html",)) -> list[str]:
    """Run axe, then its colour rules in the other theme; return what it found.

    From the page's top: wherever it was left, its own bar may cover half of a control.
    """
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    first = page.locator("html").get_attribute("data-theme")
    other = "dark" if first == "light" else "light"
    found = [f"{first}, {state}: {one}" for one in violations(page, within)]
    with in_theme(page, other):
        again = violations(page, within, runOnly=BY_THEME_AND_WIDTH)
    return [*found, *(f"{other}, {state}: {one}" for one in again)]


def test_axe_finds_no_violation_on_a_desktop(desk):
    with without(desk, DOUBLES):
        found = violations(desk)
    assert not found, "\n".join(found)


def test_axe_finds_no_violation_on_a_dark_phone(phone):
    assert phone.locator("html").get_attribute("data-theme") == "dark"
    with without(phone, DOUBLES):
        found = violations(phone, runOnly=BY_THEME_AND_WIDTH)
    assert not found, "\n".join(found)


@each_view
def test_scrollable_boxes_have_a_tab_stop(view, name, kind):
    page = view(name, kind)
    reach(page)
    assert page.evaluate(WITHOUT_TAB_STOP) == []


@each_view
def test_every_picture_has_alternative_text(view, name, kind):
    silent = view(name, kind).evaluate("""() => [
      ...[...document.querySelectorAll("article img")]
        .filter((img) => !img.alt.trim() || img.alt.includes("_images/")),
      ...[...document.querySelectorAll("svg[role='img']")]
        .filter((svg) => !svg.getAttribute("aria-label") && !svg.querySelector("title")
          && !svg.getAttribute("aria-labelledby")),
    ].map((picture) => picture.outerHTML.slice(0, 120))""")
    assert silent == []


# Adds code that is too long for the page, in a box of this kind.
LONG_CODE = """(tag) => {
  const box = document.createElement(tag);
  box.innerHTML = "<summary>Code</summary><pre id='long'></pre>";
  box.querySelector("pre").textContent = "x = 1;".repeat(100);
  document.querySelector("article").append(box);
}"""


def test_a_box_gets_its_tab_stop_when_it_starts_to_scroll(open_page):
    page = open_page(LIGHT_PAGE)
    page.evaluate(LONG_CODE, "div")
    page.wait_for_selector("#long[tabindex='0']")
    page.evaluate("document.getElementById('long').textContent = 'x'; document.body.append('.')")
    page.wait_for_selector("#long:not([tabindex])")


SHELL = [
    *("article h1", "footer", ".bd-header", ".bd-header-article"),
    *(".bd-sidebar-primary", ".bd-sidebar-secondary", "#pst-search-dialog"),
]


# The panels that buttons open, by the width of the window.
PANELS = {
    390: {
        ".primary-toggle": "#pst-primary-sidebar-modal[open]",
        ".secondary-toggle": "#pst-secondary-sidebar-modal[open]",
        ".search-button": "#pst-search-dialog[open]",
    },
    1280: {
        ".search-button-field": "#pst-search-dialog[open]",
        ".dropdown-download-buttons > button": ".dropdown-menu.show",
    },
}


@pytest.mark.parametrize(("width", "buttons"), sample(PANELS.items(), 1), ids=["phone", "desk"])
def test_axe_finds_no_violation_in_panels_that_buttons_open(open_page, width, buttons):
    page, found = open_page(CHAPTER, width=width), []
    for button, opened in buttons.items():
        page.locator(button).locator("visible=true").first.click()
        page.wait_for_selector(opened)
        with without(page, OTHERS, *SHELL, opened):
            found += check(page, f"{opened} at {width} px")
        page.keyboard.press("Escape")
        page.wait_for_selector(opened, state="detached")
    assert not found, "\n".join(found)
