"""axe finds nothing to object to: every page, light on a desktop and dark on a phone.

The figures and what buttons open are looked at in both themes at both widths.
"""

from collections.abc import Iterator

import pytest
from conftest import AXE, CHAPTERS, PAGES, watched
from playwright.sync_api import Browser, Page

THEMES = ("light", "dark")


def describe(violation: dict) -> str:
    """Say what axe found: the rule, how often, and where."""
    nodes = violation["nodes"]
    where = "\n    ".join(f"{node['target'][-1]}  {node['html'][:120]}" for node in nodes[:4])
    return f"{violation['id']} ×{len(nodes)}: {violation['help']}\n    {where}"


def check(page: Page, state: str, themes: tuple = THEMES, within: tuple = ("html",)) -> list[str]:
    """Run axe on the page as it stands, or on parts of it, and return what it found."""
    found = []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)
        report = page.evaluate(
            """(within) => axe.run({ include: within.map((name) => document.querySelector(name)) },
              { resultTypes: ['violations'] })""",
            list(within),
        )
        found += [f"{theme}, {state}: {describe(violation)}" for violation in report["violations"]]
    return found


@pytest.fixture(
    scope="module",
    params=[(name, *view) for name in PAGES for view in ((1280, "light"), (390, "dark"))],
    ids=lambda param: "-".join(map(str, param)),
)
def sized(browser: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Each page, on a desktop and on a phone, shared by the tests of this module."""
    name, width, theme = request.param
    with watched(browser, site) as open_one:
        yield open_one(name, width=width, theme=theme)


def test_axe_finds_no_violation(sized):
    theme = sized.locator("html").get_attribute("data-theme")
    found = check(sized, f"{sized.viewport_size['width']} px", (theme,))
    assert not found, "\n".join(found)


def test_what_scrolls_sideways_has_a_tab_stop(sized):
    boxes = sized.evaluate("""() => [...document.querySelectorAll("article *")]
      .filter((box) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX))
      .filter((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0)
      .filter((box) => box.tabIndex !== 0 && !box.querySelector("input, button, a, select"))
      .map((box) => box.outerHTML.slice(0, 90))""")
    assert boxes == []


def test_every_picture_says_what_it_shows(sized):
    silent = sized.evaluate("""() => [
      ...[...document.querySelectorAll("article img")]
        .filter((img) => !img.alt.trim() || img.alt.includes("_images/")),
      ...[...document.querySelectorAll("svg[role='img']")]
        .filter((svg) => !svg.getAttribute("aria-label") && !svg.querySelector("title")
          && !svg.getAttribute("aria-labelledby")),
    ].map((picture) => picture.outerHTML.slice(0, 120))""")
    assert silent == []


def test_a_box_gets_its_tab_stop_when_it_starts_to_scroll(open_page):
    page = open_page(CHAPTERS[0])
    page.evaluate("""() => {
      const code = document.createElement("pre");
      code.id = "long";
      code.textContent = "x = 1;".repeat(100);
      document.querySelector("article").append(code);
    }""")
    page.wait_for_selector("#long[tabindex='0']")
    page.evaluate("document.getElementById('long').textContent = 'x'; document.body.append('.')")
    page.wait_for_selector("#long:not([tabindex])")


@pytest.mark.parametrize(
    ("width", "button", "opened"),
    [
        (390, ".primary-toggle", "#pst-primary-sidebar-modal[open]"),
        (390, ".secondary-toggle", "#pst-secondary-sidebar-modal[open]"),
        (390, ".search-button", "#pst-search-dialog[open]"),
        (1280, ".search-button-field", "#pst-search-dialog[open]"),
        (1280, ".dropdown-download-buttons > button", ".dropdown-menu.show"),
    ],
)
def test_axe_finds_no_violation_in_what_a_button_opens(open_page, width, button, opened):
    page = open_page(CHAPTERS[0], width=width)
    page.locator(button).locator("visible=true").first.click()
    page.wait_for_selector(opened)
    found = check(page, f"{opened} at {width} px")
    assert not found, "\n".join(found)
