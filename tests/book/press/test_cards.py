"""The preview card of a page: a picture of its figure, named in the page's metadata."""

import pytest
from cards import make_cards
from toured_page import ORDER, PAGE, write_toured

from tests.lessons.masks.mask_lab import spec

FIGURE = spec.make(tour=True, causal=False)
BOOK = "A book"
META = """<meta property="og:image" content="https://a.example/_static/card.png">
<meta property="og:image:alt" content="A book">"""


@pytest.fixture
def html(tmp_path):
    folder = write_toured(tmp_path, FIGURE)
    (folder / "_static").mkdir()
    return folder


def test_a_page_with_an_address_gets_a_card_of_its_figure_with_alt_text(browser, html):
    page = html / f"{PAGE}.html"
    page.write_text(page.read_text("utf-8").replace("<body>", f"{META}<body>"), "utf-8")
    assert make_cards(browser, html, ORDER, BOOK) == 1
    card = (html / "_static/cards/02_toured.png").read_bytes()
    assert (int.from_bytes(card[16:20]), int.from_bytes(card[20:24])) == (1200, 630)
    changed = page.read_text("utf-8")
    assert 'content="https://a.example/_static/cards/02_toured.png"' in changed
    assert 'og:image:alt" content="No mask at all. The fourth token is a pad' in changed
    assert make_cards(browser, html, ORDER, "Another book") == 1  # again, as after another build
    assert page.read_text("utf-8") == changed
    assert (html / "_static/cards/02_toured.png").read_bytes() != card


def test_a_page_without_an_address_is_not_changed(browser, html):
    page = html / f"{PAGE}.html"
    before = page.read_bytes()
    assert make_cards(browser, html, ORDER, BOOK) == 0
    assert page.read_bytes() == before and not (html / "_static/cards").exists()
