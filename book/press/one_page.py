"""Join all pages into one for print: cover, contents, parts and chapters, with working links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from itertools import groupby

from facts import Facts
from lxml import etree
from lxml.builder import ElementMaker
from pages import XHTML, Element, Page, drop, elements, lead, select, short, tag_of, text_of

H = ElementMaker(namespace=XHTML, nsmap={None: XHTML})
#: Attributes that refer to ids on the same page.
NAMES_IDS = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers")
URL = re.compile(r"url\(\s*[\"']?#([^)\"']+)[\"']?\s*\)")
HEADING = re.compile(r"h[1-6]")


def anchor(page: str, name: str = "") -> str:
    """Return the id in the whole book for an id of a page: `05_attention--soft-lookup`."""
    return f"{short(page)}--{name}" if name else short(page)


def join_page(page: Page, names: set[str], address: str) -> None:
    """Make the ids of a page unique in the book, and point its links at them."""
    folder = posixpath.dirname(page.name)
    for element in elements(page.article):
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, anchor(page.name, value))
            elif key in NAMES_IDS:
                element.set(key, " ".join(anchor(page.name, name) for name in value.split()))
            elif key in ("href", "{http://www.w3.org/1999/xlink}href"):
                lead(element, key, page, names, address, lambda *found: f"#{anchor(*found)}")
            elif key == "src" and not value.startswith("data:"):
                element.set(key, posixpath.normpath(posixpath.join(folder, value)))
            elif "url(#" in value:
                element.set(
                    key, URL.sub(lambda found: f"url(#{anchor(page.name, found[1])})", value)
                )
    page.article.set("id", anchor(page.name))


def fit_for_print(pages: list[Page], address: str) -> None:
    """Turn the pages into pages for print, in place."""
    names = {page.name for page in pages}
    for page in pages:
        move_answers(page)
        join_page(page, names, address)
        plain_formulas(page)
        open_folds(page)
        lower_headings(page)
        for image in select(page.article, "img"):
            image.attrib.pop("loading", None)  # Chromium does not print lazy images


def lower_headings(page: Page) -> None:
    """Lower each heading by one level, because the highest level is for the parts."""
    for element in elements(page.article):
        if HEADING.fullmatch(tag_of(element)):
            level = min(int(tag_of(element)[1]) + 1, 6)
            element.tag = f"{{{XHTML}}}h{level}"


def open_folds(page: Page) -> None:
    """Open the folded parts, and give them names that do not ask for a click."""
    for summary in select(page.article, "summary"):
        spoken = select(summary, "p.collapsed")
        name = text_of(spoken[0] if spoken else summary)
        summary.getparent().set("open", "open")
        if spoken or name.startswith("Show "):
            rest = re.sub(r"^Show (me )?", "", name)
            rename(summary, rest[:1].upper() + rest[1:])


def rename(summary: Element, name: str) -> None:
    """Rename a folded part."""
    for child in list(summary):
        summary.remove(child)
    summary.text = name


def move_answers(page: Page) -> None:
    """Move the hints and solutions of the exercises to the end of the chapter, as books do."""
    end = H.section(H.h2("Hints and solutions"), id="hints-and-solutions")
    for tag in select(page.article, "div.tag_exercise"):
        exercise = tag.getparent()
        cells = select(exercise, "div.tag_hide-cell")
        if not cells:
            continue
        number = len(end)
        lead = H.a("Hints and a solution", href=f"#answer-{number}")
        tag.addnext(H.p(lead, " stand at the end of the chapter.", {"class": "press-lead"}))
        back = H.a(heading_of(exercise), href=f"#{exercise.get('id')}")
        answer = H.div(H.p(back, {"class": "press-asked"}), id=f"answer-{number}")
        for cell in cells:
            is_solution = "tag_solution" in cell.get("class")
            if is_solution:
                rename(select(cell, "summary")[0], "A solution")
            # Keep the text of a hint and the code of a solution.
            for part in select(cell, "div.cell_output" if is_solution else "div.cell_input"):
                drop(part)
            answer.append(cell)
        end.append(answer)
    if len(end) > 1:
        page.article.find(f"{{{XHTML}}}section").append(end)


def plain_formulas(page: Page) -> None:
    """Keep only the visual form of each formula, with its source as the label to read aloud."""
    for formula in select(page.article, "span.katex"):
        (spoken,) = select(formula, "span.katex-mathml")
        source = "".join(spoken.itertext("{http://www.w3.org/1998/Math/MathML}annotation"))
        formula.remove(spoken)
        formula.set("role", "img")
        formula.set("aria-label", source)


def heading_of(section: Element) -> str:
    """Return the heading of a section, which an anchor may precede."""
    return next(text_of(found) for found in section if HEADING.fullmatch(tag_of(found)))


def sections(page: Page) -> list[tuple[str, str]]:
    """Return the id and heading of each section directly below the page's own."""
    own = f"{{{XHTML}}}section"
    inside = [deep for section in page.article.iterfind(own) for deep in section.iterfind(own)]
    return [(section.get("id"), heading_of(section)) for section in inside]


def cover(facts: Facts) -> Element:
    """Return the cover page."""
    lines = [H.p(facts.author, {"class": "press-author"})]
    lines.append(H.p(f"Version {facts.version}, {facts.day}"))
    if facts.address:
        lines.append(H.p(H.a(facts.address, href=facts.address)))
    licence = "Text: CC BY 4.0. Code: MIT License."
    note = (
        "This is the printed form. The figures show moments of their tours, answers stand open, "
        "and the code that only draws is left out. On the page the figures answer."
    )
    foot = H.div({"class": "press-foot"}, H.p(licence), H.p(note))
    return H.section(
        {"class": "press-cover"}, H.p(facts.title, {"class": "press-title"}), *lines, foot
    )


def contents(pages: list[Page], numbers: Mapping[str, int]) -> Element:
    """Return the table of contents: parts, chapters, and each chapter's sections in a paragraph."""
    section = H.section({"class": "press-contents"}, H.h1("Contents", id="contents"))
    for part, members in groupby(pages, key=lambda page: page.part):
        if part:
            section.append(H.p(part, {"class": "press-part-line"}))
        for page in members:
            section.append(entry(anchor(page.name), label(page), numbers, "press-chapter-line"))
            line = H.p({"class": "press-section-line"})
            for name, heading in sections(page):
                line.append(H.span(H.a(heading, " ", H.b(shown(name, numbers)), href=f"#{name}")))
                line[-1].tail = " "
            if len(line):
                section.append(line)
    return section


def entry(name: str, text: str, numbers: Mapping[str, int], kind: str) -> Element:
    """Return a line that links to a page and shows its page number."""
    number = H.span({"class": "press-number"}, shown(name, numbers))
    return H.p({"class": kind}, H.a(H.span(text), number, href=f"#{name}"))


def shown(name: str, numbers: Mapping[str, int]) -> str:
    """Return a page number; before the first printing, a placeholder of the largest width."""
    return str(numbers.get(name, "000"))


def label(page: Page) -> str:
    """Return number and title, such as "7  Scaling: …"."""
    return f"{page.number}\u2002{page.title}" if page.number else page.title


def running_heads(pages: list[Page]) -> str:
    """Return the CSS that gives each chapter its own running head."""
    rules = []
    for place, page in enumerate(pages):
        head = label(page).replace("\\", "\\\\").replace('"', '\\"')
        rules.append(f'@page c{place} {{ @top-left {{ content: "{head}" }} }}')
        rules.append(f"#press-{place} {{ page: c{place} }}")
    return "\n".join(rules)


def whole_book(
    pages: list[Page], facts: Facts, numbers: Mapping[str, int], css: list[str]
) -> bytes:
    """Return the book as one page of XHTML.

    Args:
        pages: the joined pages, with lowered headings.
        facts: the facts for the cover.
        numbers: the page number of each id; empty before the first printing.
        css: the addresses of the stylesheets.
    """
    body = H.div({"class": "bd-article-container"})
    part = ""
    for place, page in enumerate(pages):
        chapter = H.div({"class": "press-chapter", "id": f"press-{place}"})
        if page.part != part:
            part = page.part
            chapter.append(H.h1(part, {"class": "press-part"}))
        if page.number:
            chapter.append(H.p(f"Chapter {page.number}", {"class": "press-overline"}))
        chapter.append(page.article)
        body.append(chapter)
    sheets = [H.link(rel="stylesheet", href=address) for address in css]
    head = H.head(H.meta(charset="utf-8"), H.title(facts.title), *sheets)
    head.append(H.style(running_heads(pages)))
    frame = H.div({"class": "bd-main"}, H.div({"class": "bd-content"}, body))
    book = H.html({"lang": "en", "data-theme": "light", "data-mode": "light"}, head)
    book.append(H.body(cover(facts), contents(pages, numbers), frame))
    return etree.tostring(book, encoding="utf-8", doctype="<!DOCTYPE html>")


def heading_titles(book: bytes) -> list[str]:
    """Return the headings of the whole book, which become its bookmarks."""
    tree = etree.fromstring(book)
    return [text_of(found) for found in elements(tree) if HEADING.fullmatch(tag_of(found))]


def link_targets(book: bytes) -> set[str]:
    """Return the ids that links in the whole book point to."""
    hrefs = (found.get("href", "") for found in elements(etree.fromstring(book)))
    return {href[1:] for href in hrefs if href.startswith("#")}
