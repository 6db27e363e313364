"""What a screen reader reads on each page, according to Chromium's accessibility tree.

axe judges elements one by one. Here the page as a whole is walked: the order in which it is read,
its landmarks, its headings, and whether everything that is read or used has words.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from conftest import CHAPTER, PAGES
from live import reach
from playwright.sync_api import Page
from sampling import sample

CONTROLS = {
    *("button", "link", "textbox", "searchbox", "checkbox", "radio", "slider", "combobox"),
    *("spinbutton", "switch", "tab", "menuitem", "listbox", "option", "DisclosureTriangle"),
}
LANDMARKS = {"banner", "navigation", "main", "contentinfo", "complementary", "search", "region"}
WITH_TEXT = {"figure", "MathMLMath"}
SHOWN = "(e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert]')"
PICTURES = {"image", "img", "graphics-document"}


@dataclass(frozen=True)
class Node:
    """A node of the accessibility tree.

    `inside` are the roles around it, `text` is what a figure or a formula holds.
    """

    role: str
    name: str
    inside: tuple[str, ...]
    level: int
    text: str


TREES: dict[str, list[Node]] = {}


def role_of(node: dict) -> str:
    return node.get("role", {}).get("value", "")


def text_in(nodes: dict[str, dict], key: str) -> str:
    """Return the text inside a node."""
    node = nodes[key]
    if role_of(node) == "StaticText":
        return node["name"]["value"]
    children = (child for child in node.get("childIds", []) if child in nodes)
    return "".join(text_in(nodes, child) for child in children)


def walk(nodes: dict[str, dict], key: str, inside: tuple[str, ...] = ()) -> Iterator[Node]:
    """Yield what a screen reader meets from a node on, in its order."""
    node = nodes[key]
    children = [child for child in node.get("childIds", []) if child in nodes]
    role = role_of(node)
    if not node["ignored"]:
        properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
        name = str(node.get("name", {}).get("value", "")).strip()
        text = text_in(nodes, key) if role in WITH_TEXT else ""
        yield Node(role, name, inside, int(properties.get("level") or 0), text)
        inside = (*inside, role)
    for child in children:
        yield from walk(nodes, child, inside)


def tree_of(page: Page) -> list[Node]:
    """Return the accessibility tree of the current page, without what is ignored."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    known = {node["nodeId"]: node for node in nodes if role_of(node) != "InlineTextBox"}
    return list(walk(known, nodes[0]["nodeId"]))


@pytest.fixture
def tree(open_page: Callable[..., Page], name: str) -> list[Node]:
    """Provide the tree of each page in turn, taken once, from a page that is closed afterwards.

    Once a page has been asked for its tree, Chromium keeps the tree up to date, and Chromium 156
    fails a CHECK in that code (AXObjectCacheImpl) now and then when such a page is resized or
    printed: "Target crashed".
    """
    if name not in TREES:
        TREES.clear()
        TREES[name] = tree_of(open_page(name))
    return TREES[name]


each_page = pytest.mark.parametrize("name", PAGES)
SEEN_HEADINGS = """() => [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")]
  .filter((e) => e.checkVisibility({ contentVisibilityAuto: true }) && !e.closest("[hidden]"))
  .map((e) => [e.getBoundingClientRect().top + scrollY, e.innerText.replace(/#$/, "").trim()])"""


@each_page
def test_headings_are_read_in_visual_order_without_skipped_levels(desk, tree):
    seen = desk.evaluate(SEEN_HEADINGS)
    assert [top for top, _ in seen] == sorted(top for top, _ in seen)
    read = [node for node in tree if node.role == "heading" and "main" in node.inside]
    assert len(read) == len(seen)
    assert [level for level in (node.level for node in read) if level == 1] == [1]
    assert read[0].level == 1
    levels = [node.level for node in read]
    jumps = [
        f"{node.name}: level {node.level} after {before}"
        for node, before in zip(read[1:], levels, strict=False)
        if node.level > before + 1
    ]
    assert jumps == []


@each_page
def test_landmarks_are_there_once_and_named(tree):
    found = [(node.role, node.name) for node in tree if node.role in LANDMARKS]
    roles = Counter(role for role, _ in found)
    assert (roles["main"], roles["contentinfo"]) == (1, 1)
    assert roles["banner"] <= 1
    assert [mark for mark, times in Counter(found).items() if times > 1] == []
    one_of_its_kind = {"main", "contentinfo", "banner"}
    assert [role for role, name in found if not name and role not in one_of_its_kind] == []


@each_page
def test_every_control_picture_and_formula_has_words(desk, tree):
    silent = [node for node in tree if node.role in CONTROLS | PICTURES and not node.name]
    assert silent == []
    figures = [node for node in tree if node.role == "figure"]
    assert [node for node in figures if not node.name and not node.text] == []
    formulas = [node for node in tree if node.role == "MathMLMath"]
    shown = f"all => all.filter((e) => ({SHOWN})(e)).length"
    assert len(formulas) == desk.locator("main math").evaluate_all(shown)
    assert [node for node in formulas if not node.name and not node.text] == []
    drawn_for_the_eye = desk.locator(".katex-html:not([aria-hidden='true'])")
    assert drawn_for_the_eye.count() == 0


def test_reading_order_is_source_order_and_figures_have_live_regions(desk):
    faults = desk.evaluate("""() => ({
      "a tab order of its own": [...document.querySelectorAll("[tabindex]")]
        .filter((e) => e.tabIndex > 0).map((e) => e.outerHTML.slice(0, 90)),
      "a figure without a live region": [...document.querySelectorAll(".tl-host .lf-live")]
        .filter((e) => !e.querySelector("[aria-live='polite'], [role='status']"))
        .map((e) => e.closest(".tl-host").dataset.figure),
      "something in another order than written": [...document.querySelectorAll("article *")]
        .filter((e) => getComputedStyle(e).order !== "0"
          || /reverse/.test(getComputedStyle(e).flexDirection) && !e.matches(".math"))
        .map((e) => e.outerHTML.slice(0, 90)),
    })""")
    assert {fault: where for fault, where in faults.items() if where} == {}


STOPS = f"""[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
  .filter((e) => e.tabIndex >= 0 && !e.disabled && ({SHOWN})(e))"""
TABBED = f"""() => {{
  window.tabbed = [];
  document.addEventListener("focusin", (event) => window.tabbed.push(event.target));
  return {STOPS}.length;
}}"""
WALKED = f"""() => {{
  const later = Node.DOCUMENT_POSITION_FOLLOWING;
  const stops = window.tabbed;
  const turn = stops.findIndex((e, i) => i && stops.indexOf(e) < i);
  const once = turn < 0 ? stops : stops.slice(0, turn);
  const name = (e) => e.outerHTML.slice(0, 100);
  const before = (e, i) => i && !(once[i - 1].compareDocumentPosition(e) & later);
  const groups = new Set(once.filter((e) => e.type === "radio").map((e) => e.name));
  return {{
    first: once[0]?.textContent.trim(),
    stops: once.length,
    against: once.filter(before).map(name),
    unseen: once.filter((e) => !e.getClientRects().length).map(name),
    missed: {STOPS}.filter((e) => !once.includes(e) && !groups.has(e.name)).map(name),
  }};
}}"""
WALKS = ["book/bibliography.html", "search.html", "404.html", "book/figures_attention.html"]
LONG_WALKS = [CHAPTER, "notebooks/05_attention.html", "notebooks/09_multi_head.html"]


@pytest.mark.parametrize("name", [*sample(WALKS, 2), *sample(LONG_WALKS, 1)])
def test_tab_visits_every_stop_in_source_order(open_page, name):
    page = open_page(name)
    for host in page.locator(".tl-host").all():
        host.scroll_into_view_if_needed()
    reach(page)
    page.locator("body").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    stops = page.evaluate(TABBED)
    for _ in range(stops + 5):
        page.keyboard.press("Tab")
    walked = page.evaluate(WALKED)
    assert walked["first"] == "Skip to main content"
    assert (walked["against"], walked["unseen"], walked["missed"]) == ([], [], [])


def test_the_first_stop_leads_past_the_navigation(open_page):
    page = open_page(CHAPTER, scheme="file")
    page.locator("body").evaluate("(e) => { e.tabIndex = -1; e.focus(); }")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getClientRects()[0].top >= 0"), "it is seen"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
