"""Nothing jumps while a page loads and while it is read, and a link lands where it points."""

import re

import pytest
from conftest import BOOK, CHAPTER, CHAPTERS
from playwright.sync_api import Page
from sampling import parameter

LIMIT = 0.02
# A page is read to its end; the next step is made when what is in view has come.
READ = """() => {
  const jumps = [];
  const name = ({ node, previousRect: was, currentRect: is }) =>
    `${node?.className || node?.nodeName} from ${was.y} to ${is.y}, ${is.height} high`;
  const note = (entries) => {
    for (const { hadRecentInput, value, sources } of entries)
      if (!hadRecentInput) jumps.push([value, ...[...sources].map(name)]);
  };
  const watch = new PerformanceObserver((list) => note(list.getEntries()));
  watch.observe({ type: "layout-shift", buffered: true });
  const late = () => [...document.querySelectorAll(".tl-host, article img")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().top < innerHeight)
    .some((e) => !(e.complete ?? e.classList.contains("lf-mounted")));
  const drawn = (next) => requestAnimationFrame(() => requestAnimationFrame(next));
  const step = () => {
    if (late()) return drawn(step);
    const before = scrollY;
    scrollBy({ top: innerHeight * 0.8, behavior: "instant" });
    drawn(scrollY > before ? step : end);
  };
  const end = () => {
    note(watch.takeRecords());
    window.jumps = jumps;
    window.rest = document.documentElement.scrollHeight - innerHeight - scrollY;
    scrollTo({ top: 0, behavior: "instant" });
  };
  step();
}"""


def jumped(page: Page) -> tuple[float, list]:
    """Read a page to its end; return how far its parts jumped since it was opened, and which."""
    page.evaluate(READ)
    page.wait_for_function("window.jumps !== undefined")
    assert abs(page.evaluate("window.rest")) < 2, "the whole page was read"
    jumps = page.evaluate("window.jumps")
    return sum(value for value, *_ in jumps), jumps


# Pages whose first figure fills the screen.
FULL_SCREEN = ["book/review.html", "book/the_walk.html", "book/the_workbench.html"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in CHAPTERS + FULL_SCREEN for kind in ("desk", "phone")],
)
def test_layout_does_not_shift(opened, name, kind):
    far, parts = jumped(opened(name, kind))
    assert far < LIMIT, parts


@pytest.mark.nightly
@pytest.mark.parametrize("look", [{"scheme": "file"}, {"width": 390}], ids=["file", "narrow"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_layout_does_not_shift_on_other_screens(open_page, name, look):
    far, parts = jumped(open_page(name, **look))
    assert far < LIMIT, parts


@pytest.mark.parametrize("name", [parameter(name, name == CHAPTER) for name in CHAPTERS])
def test_a_link_to_a_section_lands_on_it(open_page, name):
    text = (BOOK / name).read_text("utf-8")
    sections = re.findall(r'<section id="([^"]+)">\s*<h2', text)
    middle = sections[len(sections) // 2]
    page = open_page(f"{name}#{middle}")
    page.wait_for_function("scrollY > 0")
    top = page.locator(f"#{middle} > h2").evaluate("(e) => e.getBoundingClientRect().top")
    assert 0 <= top < 200
