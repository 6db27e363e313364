"""`make cards`: give links to a chapter a preview of its own figure instead of the book's card.

The build itself needs no browser, so it gives every page the card of the whole book. When the pages
are published, this script gives each page a card of its own if it has a figure with a tour.

    python press/cards.py _build/html
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

from chromium import chromium
from facts import ROOT, facts_of
from film import HERE, Tour, tours_of
from pages import order, read_pages, short
from playwright.sync_api import Browser, Locator
from stage import opened, show, stage

SIZE = (1200, 630)  # as messengers expect
IMAGE = re.compile(r'(<meta property="og:image" content="[^"]*_static/)[^"]*(">)')
ALT = re.compile(r'(<meta property="og:image:alt" content=")[^"]*(">)')


def card(live: Locator, title: str, book: str) -> bytes:
    """Return a PNG of a figure at the first moment of its tour, between two titles."""
    live.page.add_script_tag(path=HERE / "film.js")
    live.evaluate("(live, title) => pressFilm.frame(live, title)", title)
    live.page.evaluate("() => document.body.classList.add('press-card')")
    live.page.evaluate("book => pressFilm.say(book, '')", book)
    show(live, 1)
    live.evaluate("live => pressFilm.fit(live)")
    return live.page.screenshot()


def with_card(page: str, name: str, alt: str) -> str:
    """Return a page with the name and the description of its own card.

    >>> with_card('<meta property="og:image" content="https://a.b/_static/card.png">', "x", "")
    '<meta property="og:image" content="https://a.b/_static/cards/x.png">'
    """
    said = html.escape(alt).replace("\\", r"\\")
    return ALT.sub(rf"\g<1>{said}\g<2>", IMAGE.sub(rf"\g<1>cards/{name}.png\g<2>", page))


def first_tours(tours: list[Tour]) -> list[Tour]:
    """Return the first tour of each page that names a card."""
    found: dict[Path, Tour] = {}
    for tour in tours:
        if IMAGE.search(tour.page.read_text("utf-8")):
            found.setdefault(tour.page, tour)
    return [*found.values()]


def make_cards(browser: Browser, built: Path, pages: list[tuple[str, str]], book: str) -> int:
    """Draw the cards of a built book, write their names into its pages, and return how many.

    Args:
        browser: the browser of the press.
        built: the folder of the built book.
        pages: the part and the name of each page.
        book: the title of the book.
    """
    reader = browser.new_page()
    tours = tours_of(read_pages(reader, built, pages), built)
    reader.close()
    chosen = first_tours([*tours.values()])
    with opened(browser, *SIZE, scale=1) as tab:
        for tour in chosen:
            name = short(tour.page.relative_to(built).with_suffix("").as_posix())
            path = built / f"_static/cards/{name}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(card(stage(tab, tour.page, tour.name), tour.title, book))
            text = with_card(tour.page.read_text("utf-8"), name, tour.said[0])
            tour.page.write_text(text, "utf-8")
    return len(chosen)


if __name__ == "__main__":
    try:
        with chromium() as browser:
            folder = Path(sys.argv[1]).resolve()
            made = make_cards(browser, folder, order(ROOT), facts_of().title)
    except ValueError as refusal:  # the book is not built, or there is no browser
        sys.exit(str(refusal))
    print(f"{made} cards; a book without BOOK_URL names none.")
