"""`make cards`: beside a link to a chapter stands its own figure, in place of the book's card.

The build itself needs no browser, so every page names the card of the whole book; where pages are
published, this gives each page with a figure that has a tour one of its own.

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

SIZE = (1200, 630)  # as messengers ask for
IMAGE = re.compile(r'(<meta property="og:image" content="[^"]*_static/)[^"]*(">)')
ALT = re.compile(r'(<meta property="og:image:alt" content=")[^"]*(">)')


def card(live: Locator, title: str, book: str) -> bytes:
    """Return a figure at the first moment of its tour, between two titles, as PNG."""
    live.page.add_script_tag(path=HERE / "film.js")
    live.evaluate("(live, title) => pressFilm.frame(live, title)", title)
    live.page.evaluate("() => document.body.classList.add('press-card')")
    live.page.evaluate("book => pressFilm.say(book, '')", book)
    show(live, 1)
    live.evaluate("live => pressFilm.fit(live)")
    return live.page.screenshot()


def with_card(page: str, name: str, alt: str) -> str:
    """Return a page that names another card, and what is to be seen there.

    >>> with_card('<meta property="og:image" content="https://a.b/_static/card.png">', "x", "")
    '<meta property="og:image" content="https://a.b/_static/cards/x.png">'
    """
    said = html.escape(alt).replace("\\", r"\\")
    return ALT.sub(rf"\g<1>{said}\g<2>", IMAGE.sub(rf"\g<1>cards/{name}.png\g<2>", page))


def first_tours(tours: list[Tour]) -> list[Tour]:
    """Return of each page that names a card its first tour."""
    found: dict[Path, Tour] = {}
    for tour in tours:
        if IMAGE.search(tour.page.read_text("utf-8")):
            found.setdefault(tour.page, tour)
    return [*found.values()]


def make_cards(browser: Browser, built: Path, pages: list[tuple[str, str]], book: str) -> int:
    """Draw the cards of a built book, write their names into its pages, and return how many.

    Args:
        browser: that of the press.
        built: the folder of the book.
        pages: part and name of each page.
        book: its title.
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
