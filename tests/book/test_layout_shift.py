"""Nothing jumps while a chapter loads and while it is read, and a link lands where it points."""

import pytest
from conftest import CHAPTERS

LIMIT = 0.02
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  const step = () => {
    const before = scrollY;
    scrollBy({ top: innerHeight * 0.8, behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (scrollY > before) step();
      else setTimeout(() => done(sum), 100);
    }));
  };
  step();
})"""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_nothing_jumps(open_page, name, scheme, width):
    page = open_page(name, scheme=scheme, width=width)
    assert page.evaluate(SHIFT) < LIMIT
    height = page.evaluate("innerHeight + scrollY - document.documentElement.scrollHeight")
    assert abs(height) < 2, "the whole page was read"


def test_a_jump_is_measured(open_page):
    page = open_page(CHAPTERS[0])
    page.evaluate("""() => {
      const box = document.createElement("div");
      box.style.height = "300px";
      document.querySelector("article").prepend(box);
    }""")
    assert page.evaluate(SHIFT) > LIMIT


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_link_to_a_section_lands_on_it(open_page, name):
    page = open_page(name)
    middle = page.evaluate("""() => {
      const sections = [...document.querySelectorAll(".bd-article > section > section")];
      return sections[Math.floor(sections.length / 2)].id;
    }""")
    page = open_page(f"{name}#{middle}")
    page.wait_for_function("scrollY > 0")
    top = page.locator(f"#{middle} > :is(h2, h3)").evaluate("(e) => e.getBoundingClientRect().top")
    assert 0 <= top < 200
