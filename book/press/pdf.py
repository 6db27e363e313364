"""`make pdf`: print the whole book as one PDF from the built pages with Chromium, and check it.

The book is printed twice: first to learn the page numbers, then with those numbers in the contents.
Before that, content that is too wide for the paper is made smaller. If it would become too small to
read, that is an error.

    python press/pdf.py _build/html _build/press/transformer-book.pdf
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

import pikepdf
from chromium import chromium
from facts import ROOT, Facts, facts_of
from one_page import fit_for_print, heading_titles, link_targets, whole_book
from pages import Page, order, read_pages
from playwright.sync_api import Page as Tab
from printed import finish, page_numbers, problems
from strips import add_strips

HERE = Path(__file__).parent
SHEETS = ["_static/pages.css", "print.css"]
WIDTH = 643  # of the printed column in pixels: 170 mm
SMALLEST = 0.6  # the smallest scale for content that is too wide
HEIGHT = 963  # of the printed column in pixels: 255 mm


def open_book(tab: Tab, source: Path) -> list[str]:
    """Open the page with the whole book and shrink what is too wide; return what cannot fit."""
    tab.goto(source.as_uri())
    tab.evaluate("() => document.fonts.ready.then(() => true)")
    tab.add_script_tag(path=HERE / "fit.js")
    shrunk = tab.evaluate("height => shrink(height)", HEIGHT)
    small = [found for found in shrunk if found["by"] < SMALLEST]
    left = [*small, *tab.evaluate("height => tooLarge(height)", HEIGHT)]
    return [f"too large for the paper: {found['what']}" for found in left]


def write_pictures(pages: list[Page], folder: Path) -> None:
    """Write the pictures that the press drew for the pages to where the pages load them from."""
    for page in pages:
        for name, content in page.pictures.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)


def print_book(tab: Tab, html: Path, pages: list[Page], facts: Facts, out: Path) -> list[str]:
    """Print the pages of a built book into one PDF; return its problems.

    Args:
        tab: a browser tab.
        html: the folder of the built book.
        pages: the pages as read from it; they are changed.
        facts: the facts for the cover and the metadata.
        out: the file to write.
    """
    fit_for_print(pages, facts.address)
    with tempfile.TemporaryDirectory() as folder:
        source, draft = Path(folder, "book.xhtml"), Path(folder, "draft.pdf")
        for name in ("_static", "_images"):
            if (html / name).exists():
                Path(folder, name).symlink_to(html / name)
        shutil.copy(HERE / "print.css", folder)
        write_pictures(pages, Path(folder))
        printed: dict[str, int] | None = None
        numbers: dict[str, int] = {}
        tab.set_default_timeout(600_000)  # long enough for the whole book on a busy machine
        tab.emulate_media(media="print")
        tab.set_viewport_size({"width": WIDTH, "height": 900})
        # The numbers in the contents can move a line to the next page, and with it other numbers.
        for _ in range(4):
            if printed == numbers:
                break
            book = whole_book(pages, facts, numbers, SHEETS)
            source.write_bytes(book)
            found = open_book(tab, source)
            tab.pdf(
                path=draft,
                prefer_css_page_size=True,
                print_background=True,
                outline=True,
                tagged=True,
            )
            with pikepdf.open(draft) as pdf:
                printed, numbers = numbers, page_numbers(pdf)
        with pikepdf.open(draft) as pdf:
            found += problems(pdf, heading_titles(book), link_targets(book))
            if printed != numbers:
                found.append("the contents name other pages than those they lead to")
            finish(pdf, facts, heading_titles(book))
            pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return found


def main(html: Path, out: Path) -> int:
    """Print the built book and report the result, deleting an older one first."""
    began = time.monotonic()
    out.parent.mkdir(parents=True, exist_ok=True)
    refused = out.with_suffix(".refused.pdf")
    for old in (out, refused):
        old.unlink(missing_ok=True)
    with chromium() as browser:
        tab = browser.new_page()
        pages = read_pages(tab, html, order(ROOT))
        add_strips(browser, html, pages)
        found = print_book(tab, html, pages, facts_of(), out)
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        out.rename(refused)
        print(f"The PDF is refused. To look at it: {refused}", file=sys.stderr)
        return 1
    with pikepdf.open(out) as pdf:
        size, took = out.stat().st_size / 1e6, time.monotonic() - began
        print(f"{out}: {len(pdf.pages)} pages, {size:.1f} MB, in {took:.0f} s")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*(Path(name).resolve() for name in sys.argv[1:3])))
    except ValueError as refusal:  # the book is not built, or is incomplete
        sys.exit(str(refusal))
