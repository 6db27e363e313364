"""A small book is printed for real, and its PDF read back."""

import datetime
import re
from pathlib import Path

import pikepdf
import pytest
from facts import ROOT, Facts
from pages import Page, order, read_pages, target
from pdf import print_book
from playwright.sync_api import Page as Tab
from printed import destinations, linked, outline_items, page_numbers, problems
from three_pages import ORDER

FACTS = Facts("A book", "somebody", datetime.date(2026, 3, 1), "1.2", "https://example.org/b/")
TITLES = [
    ("Contents", 2),
    ("Preface", 3),
    ("Start", 4),
    ("The first chapter: its long name & more", 4),
    ("The second part", 4),
    ("Exercises", 4),
    ("Exercise 1: add", 4),
    ("Hints and solutions", 4),
    ("Appendices", 5),
    ("Glossary", 5),
    ("The same id", 5),
]


@pytest.fixture
def pages(tab: Tab, built: Path) -> list[Page]:
    return read_pages(tab, built, ORDER)


@pytest.fixture(scope="module")
def printed(tab: Tab, built: Path, tmp_path_factory) -> tuple[list[str], pikepdf.Pdf]:
    """Provide the problems found in the small book, and its PDF."""
    out = tmp_path_factory.mktemp("pdf") / "book.pdf"
    wrong = print_book(tab, built, read_pages(tab, built, ORDER), FACTS, out)
    return wrong, pikepdf.open(out)


def test_every_page_of_the_book_is_printed_once():
    """The order contains every chapter, sorted, and every other page, each once."""
    names = [name for _, name in order(ROOT)]
    chapters = [name for name in names if name.startswith("notebooks/")]
    assert chapters == sorted(f"notebooks/{path.stem}" for path in ROOT.glob("notebooks/*.ipynb"))
    pages = (path.relative_to(ROOT).with_suffix("") for path in ROOT.glob("book/**/*.md"))
    assert {*names} == {*chapters, *map(str, pages)} and len({*names}) == len(names)


def text_of(page: pikepdf.Page) -> str:
    """Return the text of a page, by its map from glyphs to letters."""
    maps = {}
    for name, font in page.Resources.Font.items():
        table = font.ToUnicode.read_bytes().decode()
        single = re.findall(r"^<(\w+)> <(\w{4})>$", table, re.MULTILINE)
        maps[name] = {int(glyph, 16): chr(int(letter, 16)) for glyph, letter in single}
        for low, high, letter in re.findall(r"^<(\w+)> <(\w+)> <(\w{4})>$", table, re.MULTILINE):
            for step in range(int(high, 16) - int(low, 16) + 1):
                maps[name][int(low, 16) + step] = chr(int(letter, 16) + step)
    shown, letters = "", {}
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == "Tf":
            letters = maps[str(operands[0])]
        if str(operator) in ("Tj", "TJ"):
            pieces = operands[0] if str(operator) == "TJ" else operands
            for piece in pieces:
                if isinstance(piece, pikepdf.String):
                    glyphs = bytes(piece)
                    places = (
                        int.from_bytes(glyphs[at : at + 2]) for at in range(0, len(glyphs), 2)
                    )
                    shown += "".join(letters.get(place, "") for place in places)
    return shown


def test_the_small_book_is_printed_without_problems(printed):
    wrong, pdf = printed
    assert wrong == []
    assert len(pdf.pages) == 5
    assert (str(pdf.docinfo.Title), str(pdf.docinfo.Author)) == ("A book", "somebody")


def test_every_heading_has_a_bookmark_that_leads_to_its_page(printed):
    _, pdf = printed
    places = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    found = [(item.title, places[item.obj.Dest[0].objgen]) for item in outline_items(pdf)]
    assert found == TITLES


def test_links_land_and_equal_ids_of_two_pages_stay_apart(printed):
    _, pdf = printed
    numbers = page_numbers(pdf)
    assert linked(pdf) <= destinations(pdf).keys()
    assert numbers["01_first--second"] == 4 and numbers["glossary--second"] == 5
    assert {"glossary--term-sum", "01_first", "01_first--answer-1"} <= linked(pdf)
    notes = [note for page in pdf.pages for note in page.get("/Annots", [])]
    addresses = {str(note.A.URI) for note in notes if "/A" in note}
    assert {"https://example.org/", "https://example.org/b/_sources/x.ipynb"} <= addresses


def test_the_contents_and_every_page_except_the_cover_show_page_numbers(printed):
    _, pdf = printed
    contents = re.sub(r"\s", "", text_of(pdf.pages[1]))
    assert "The" in contents and "Preface3" in contents and "Thesecondpart4" in contents
    assert "Glossary5" in contents and "Thesameid5" in contents
    assert "more4Start" in text_of(pdf.pages[3])  # its head, its number, then its text
    assert "Version 1.2, 1 March 2026" in text_of(pdf.pages[0]).replace("\xa0", " ")


def test_print_expands_folded_sections_and_hides_controls(printed):
    shown = re.sub(r"\s", "", text_of(printed[1].pages[3]))
    assert "Theanswerstandshere." in shown and "Think." in shown and "Ahint" in shown
    assert "Press" not in shown and "Covered" not in shown and "draw()" not in shown
    assert shown.index("Hintsandsolutions") < shown.index("Think.") < shown.index("Asolution")
    assert shown.count("Exercise1:add") == 2  # where it is asked, and over its hints
    assert "solved()" in shown and "Hideme" not in shown
    assert "correct" not in shown and "hints()" not in shown


def test_errors_of_a_print_are_reported(printed):
    _, pdf = printed
    titles = [title for title, _ in TITLES]
    assert problems(pdf, titles, linked(pdf)) == []
    assert problems(pdf, titles[1:], {"nowhere"}) == [
        "10 headings must have a bookmark each, got 11",
        "a link leads nowhere: #nowhere",
    ]


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("#a", ("notebooks/05_x", "a")),
        ("06_y.html", ("notebooks/06_y", "")),
        ("../book/glossary.html#term", ("book/glossary", "term")),
        ("../_sources/x.ipynb", None),
        ("https://example.org/a.html", None),
        ("mailto:a@example.org", None),
    ],
)
def test_a_link_is_followed_as_a_browser_would(href, found):
    assert target("notebooks/05_x", href) == found
