"""Read a printed PDF: find page numbers and problems, and write its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pikepdf
from facts import Facts
from pikepdf import Dictionary, Name, OutlineItem, Pdf

FILES = (Name.FontFile, Name.FontFile2, Name.FontFile3)
SHOWN = re.compile(rb"\bT[jJ]\b|\bDo\b|\bf\*?\n")


def page_numbers(pdf: Pdf) -> dict[str, int]:
    """Return the page number of every id that a link leads to, starting from 1."""
    places = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    return {name: places[place[0].objgen] for name, place in destinations(pdf).items()}


def destinations(pdf: Pdf) -> dict[str, pikepdf.Object]:
    """Return the named destinations of a PDF."""
    found = pdf.Root.get(Name.Dests, Dictionary())
    return {str(name).removeprefix("/"): place for name, place in found.items()}


def outline_items(pdf: Pdf) -> list[OutlineItem]:
    """Return all bookmarks, each before its children."""

    def walk(items: list[OutlineItem]) -> Iterator[OutlineItem]:
        for item in items:
            yield item
            yield from walk(item.children)

    with pdf.open_outline() as outline:
        return list(walk(outline.root))


def problems(pdf: Pdf, titles: list[str], targets: set[str]) -> list[str]:
    """Return descriptions of the problems of a printed book.

    Args:
        pdf: the printed book.
        titles: the titles of parts, chapters and sections, in order.
        targets: the ids that the links of the book point to.
    """
    bookmarks = len(outline_items(pdf))
    found = []
    if bookmarks != len(titles):
        found.append(f"{len(titles)} headings must have a bookmark each, got {bookmarks}")
    here = destinations(pdf).keys()
    found += [f"a link leads nowhere: #{name}" for name in sorted(targets - here)]
    found += [f"a link leads nowhere: {name}" for name in sorted(linked(pdf) - here)]
    found += [f"a font is not embedded: {name}" for name in sorted(missing_fonts(pdf))]
    blank = [number for number, page in enumerate(pdf.pages, 1) if is_blank(page)]
    return found + [f"page {number} is blank" for number in blank]


def linked(pdf: Pdf) -> set[str]:
    """Return the named destinations that the links on the pages point to."""
    names = set()
    for page in pdf.pages:
        for note in page.get(Name.Annots, []):
            place = note.get(Name.Dest)
            if place is not None:
                names.add(str(place).removeprefix("/"))
    return names


def missing_fonts(pdf: Pdf) -> set[str]:
    """Return the fonts that are not embedded."""
    missing = set()
    for font in (found for found in pdf.objects if is_font(found)):
        for real in font.get(Name.DescendantFonts, [font]):
            descriptor = real.get(Name.FontDescriptor, Dictionary())
            if real.get(Name.Subtype) != Name.Type3 and not any(key in descriptor for key in FILES):
                missing.add(str(font.get(Name.BaseFont)))
    return missing


def is_font(found: pikepdf.Object) -> bool:
    return (
        isinstance(found, Dictionary)
        and found.get(Name.Type) == Name.Font
        and (found.get(Name.Subtype) not in (Name.CIDFontType0, Name.CIDFontType2))
    )


def is_blank(page: pikepdf.Page) -> bool:
    """Return whether a page shows only its running head and its number."""
    page.contents_coalesce()
    return len(SHOWN.findall(page.Contents.read_bytes())) <= 4


def finish(pdf: Pdf, facts: Facts, titles: list[str]) -> None:
    """Write the title and author, and set the bookmarks' titles to the headings' texts.

    If a heading has a line break, Chromium joins the two words around it.
    """
    items = outline_items(pdf)
    for item, title in zip(items, titles, strict=False):
        item.obj.Title = pikepdf.String(title)
    with pdf.open_metadata() as meta:
        meta["dc:title"] = facts.title
        meta["dc:creator"] = [facts.author]
        meta["dc:language"] = ["en"]
    pdf.docinfo[Name.Author] = facts.author
    pdf.docinfo[Name.Creator] = "Chromium"
    pdf.Root.PageMode = Name.UseOutlines
