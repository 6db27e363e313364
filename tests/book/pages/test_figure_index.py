"""One page for each part shows its figures as pictures, and is light."""

import html
import re
from pathlib import Path

import pytest
import yaml
from conftest import BOOK, CHAPTERS, ROOT
from playwright.sync_api import expect
from sampling import sample
from test_named_search import named

OVERVIEW = "book/figures.html"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
FIGURE_PAGES = [
    f"{page['file']}.html"
    for part in TOC["parts"]
    for entry in part["chapters"]
    if entry["file"] == "book/figures"
    for page in entry["sections"]
]
CARD = re.compile(r'<figcaption><span>([^<]*)</span> <a href="([^"]*)">')
LIMIT = 400_000  # bytes of a page and all its pictures, before a server compresses them


def places(kind: str) -> list[str]:
    """Return the addresses of what the chapters name."""
    return [
        f"../{page['url']}#{anchor}"
        for page in named()
        for of, _, anchor, *_ in page["things"]
        if of == kind
    ]


def cards(pages: list[str]) -> list[tuple[str, str]]:
    """Return the kind and the address of each picture, in page order."""
    return [found for page in pages for found in CARD.findall((BOOK / page).read_text("utf-8"))]


def test_every_figure_of_every_chapter_is_there_in_order():
    found = cards(FIGURE_PAGES)
    assert [html.unescape(link) for _, link in found] == places("figure")
    assert {Path(link.partition("#")[0]).name for _, link in found} == {
        Path(chapter).name for chapter in CHAPTERS
    }
    kinds = [kind for kind, _ in found]
    assert kinds.count("Live figure") >= len(CHAPTERS)


def test_the_overview_links_to_every_part_and_every_chapter():
    links = re.findall(r"<td>.*?</td>", (BOOK / OVERVIEW).read_text("utf-8"), re.DOTALL)
    found = re.findall(r'href="([^"]+)"', "".join(links))
    sections = []
    for page in FIGURE_PAGES:
        ids = re.findall(r'<section id="(figures-of-[^"]+)"', (BOOK / page).read_text("utf-8"))
        sections += [Path(page).name, *(f"{Path(page).name}#{name}" for name in ids)]
    assert found == sections
    assert sum("#" in link for link in found) == len(CHAPTERS)


@pytest.mark.parametrize("name", sample(FIGURE_PAGES, 2))
def test_every_picture_is_drawn_and_has_words(desk):
    wrong = desk.evaluate("""() => [...document.querySelectorAll(".tl-card")].filter((card) => {
      const picture = card.querySelector(":scope > :is(img, svg, .tl-still)");
      const words = picture?.alt ?? picture?.getAttribute("aria-label");
      const { width, height } = picture?.getBoundingClientRect() ?? {};
      const fits = width <= card.clientWidth && height <= card.clientHeight;
      return !(words && fits && width > 40 && height > 20);
    }).map((card) => card.textContent.slice(-90))""")
    assert wrong == []


@pytest.mark.parametrize("name", FIGURE_PAGES)
def test_the_page_is_light(name):
    page = (BOOK / name).read_text("utf-8")
    images = re.findall(r'<img [^>]*?src="(\.\./_images/[^"]+)"[^>]*>', page)
    assert images
    assert page.count('loading="lazy"') >= len(images)
    sizes = [(BOOK / "book" / image).stat().st_size for image in images]
    assert len(page.encode()) + sum(sizes) < LIMIT
    assert "_static/figures/" not in page, "nothing moves here, so no figure's script is loaded"


@pytest.mark.parametrize("name", ["book/figures_attention.html"])
def test_a_picture_links_to_its_figure(touched, name):
    page = touched(name, "phone")
    card = page.locator(".tl-card").nth(7)
    link = card.locator("a")
    anchor = str(link.get_attribute("href")).partition("#")[2]
    card.click(position={"x": 30, "y": 30})
    page.wait_for_url(f"**#{anchor}")
    expect(page.locator(f"[id='{anchor}']")).to_be_in_viewport()
