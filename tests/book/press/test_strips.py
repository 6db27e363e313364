"""The tour of a figure in print: pictures drawn by its script above the text of each moment."""

import datetime
import io
import zipfile
from pathlib import Path

import pytest
from epub import write_epub
from facts import Facts
from lxml import etree
from pages import Page, elements, read_pages, select, tag_of, text_of
from pdf import print_book
from PIL import Image
from stage import opened, stage
from strips import add_strips
from toured_page import ORDER, PAGE, write_toured

from lessons.kit.figures.registry import MaskLab
from tests.lessons.masks.mask_lab import spec

FACTS = Facts("A book", "somebody", datetime.date(2026, 3, 1), "1.2")
FIGURE: MaskLab = spec.make(tour=True, causal=False)
CAPTIONS = [text for _, text in FIGURE.moments()]


@pytest.fixture(scope="module")
def html(tmp_path_factory) -> Path:
    folder = write_toured(tmp_path_factory.mktemp("html"), FIGURE)
    (folder / "_static").mkdir()
    return folder


@pytest.fixture(scope="module")
def drawn(browser, html) -> Page:
    """Provide the article of the page with its strip, and its pictures, drawn once."""
    page = read(browser, html)
    add_strips(browser, html, [page])
    return page


@pytest.fixture
def page(drawn) -> Page:
    """Provide the page with its strip, for a test to change."""
    article = etree.fromstring(etree.tostring(drawn.article))
    return Page(drawn.name, drawn.part, drawn.title, article, drawn.pictures)


def read(browser, html: Path) -> Page:
    tab = browser.new_page()
    (page,) = read_pages(tab, html, ORDER)
    tab.close()
    return page


def test_a_strip_has_the_text_of_all_moments_and_pictures_of_four(page):
    (strip,) = select(page.article, "ol.press-strip")
    assert [text_of(item) for item in strip] == CAPTIONS
    assert [item.get("id") for item in strip] == [f"tour-mask_lab-{i}" for i in range(1, 7)]
    shown = [i for i, item in enumerate(strip, start=1) if select(item, "img")]
    assert shown == [1, 3, 4, 6]
    for image in select(strip, "img"):
        assert image.get("alt") == text_of(image.getparent())


def test_the_pictures_replace_the_tables_below_the_question(page):
    (static,) = select(page.article, "div.lf-static")
    assert not select(static, "table")
    assert [text_of(found) for found in select(static, "p.tl-aside")] == [
        "Which query may attend to which key, and how are the weights divided?"
    ]
    assert "What follows." in text_of(page.article)


def test_the_pictures_differ_and_are_small_and_equally_wide(page):
    contents = list(page.pictures.values())
    assert len({*contents}) == len(contents) == 4
    pictures = [Image.open(io.BytesIO(content)) for content in contents]
    assert len({picture.width for picture in pictures}) == 1
    for picture, content in zip(pictures, contents, strict=True):
        assert 300 < picture.width <= 880 and 200 < picture.height < 1400
        assert len(content) < 60_000


def test_a_picture_shows_neither_controls_nor_the_player(browser, html):
    with opened(browser, 440) as tab:
        live = stage(tab, html / f"{PAGE}.html", "mask_lab")
        visible = "all => all.filter(one => one.checkVisibility()).length"
        assert live.locator("table").evaluate_all(visible) == 1  # of ten
        assert live.locator("button, input, summary").evaluate_all(visible) == 0


def test_the_pdf_and_the_epub_contain_the_pictures(browser, html, page, tmp_path):
    tab = browser.new_page()
    again = Page(page.name, page.part, page.title, page.article, page.pictures)
    again.article = etree.fromstring(etree.tostring(page.article))
    assert print_book(tab, html, [page], FACTS, tmp_path / "book.pdf") == []
    assert tab.evaluate("[...document.images].filter(one => one.naturalWidth > 0).length") == 4
    write_epub(tab, html, [again], FACTS, tmp_path / "book.epub")
    with zipfile.ZipFile(tmp_path / "book.epub") as book:
        tree = etree.fromstring(book.read("EPUB/02_toured.xhtml"))
        sources = [found.get("src") for found in elements(tree) if tag_of(found) == "img"]
        assert sources == [f"images/mask_lab-{moment}.png" for moment in (1, 3, 4, 6)]
        for source in sources:
            assert book.read(f"EPUB/{source}").startswith(b"\x89PNG")
    tab.close()
