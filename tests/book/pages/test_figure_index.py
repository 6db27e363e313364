"""One page shows every figure of the book as a picture, and is light."""

import re
from pathlib import Path

import pytest
from conftest import BOOK, CHAPTERS
from playwright.sync_api import expect
from test_named_search import named

NAME = "book/figures.html"
LIMIT = 1_500_000  # bytes of the page and all its pictures, before a server compresses them


def places(kind: str) -> list[str]:
    """Return the addresses of what the chapters name."""
    return [
        f"../{page['url']}#{anchor}"
        for page in named()
        for of, _, anchor, *_ in page["things"]
        if of == kind
    ]


@pytest.mark.parametrize("name", [NAME])
def test_every_figure_of_every_chapter_is_there_in_order(desk):
    links = desk.locator(".tl-card figcaption a")
    found = links.evaluate_all("links => links.map((a) => a.getAttribute('href'))")
    assert found == places("figure")
    assert {Path(link.partition("#")[0]).name for link in found} == {
        Path(chapter).name for chapter in CHAPTERS
    }
    kinds = desk.locator(".tl-card figcaption span").all_inner_texts()
    assert kinds.count("Live figure") >= len(CHAPTERS)


@pytest.mark.parametrize("name", [NAME])
def test_every_picture_is_drawn_and_has_words(desk):
    wrong = desk.evaluate("""() => [...document.querySelectorAll(".tl-card")].filter((card) => {
      const picture = card.querySelector(":scope > :is(img, svg, .tl-still)");
      const words = picture?.alt ?? picture?.getAttribute("aria-label");
      const { width, height } = picture?.getBoundingClientRect() ?? {};
      const fits = width <= card.clientWidth && height <= card.clientHeight;
      return !(words && fits && width > 40 && height > 20);
    }).map((card) => card.textContent.slice(-90))""")
    assert wrong == []


def test_the_page_is_light():
    page = (BOOK / NAME).read_text("utf-8")
    images = re.findall(r'<img [^>]*?src="(\.\./_images/[^"]+)"[^>]*>', page)
    assert images
    assert page.count('loading="lazy"') >= len(images)
    sizes = [(BOOK / "book" / image).stat().st_size for image in images]
    assert len(page.encode()) + sum(sizes) < LIMIT
    assert "_static/figures/" not in page, "nothing moves here, so no figure's script is loaded"


@pytest.mark.parametrize("name", [NAME])
def test_a_picture_links_to_its_figure(touched, name):
    page = touched(name, "phone")
    card = page.locator(".tl-card").nth(7)
    link = card.locator("a")
    anchor = str(link.get_attribute("href")).partition("#")[2]
    card.click(position={"x": 30, "y": 30})
    page.wait_for_url(f"**#{anchor}")
    expect(page.locator(f"[id='{anchor}']")).to_be_in_viewport()
