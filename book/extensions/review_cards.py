"""Write what Review can ask: an index of everything, and a script for each chapter.

Questions and drills were recorded while the chapters were read (`review.py`). Terms, formulas and
letters are taken from the finished pages, in which formulas are rendered and links are resolved.
Each belongs to the chapter that explains it, and Review adds it together with that chapter.
"""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import formulas
from bs4 import BeautifulSoup, Tag
from chapter_facts import Chapter
from chapter_lists import chapters_of, parts_of
from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from named_formulas import read_formulas
from sphinx.application import Sphinx

CHAPTER = re.compile(r"notebooks/(\d\d_\w+)\.html")
BEFORE_ENGINE_CLOSES = 400
SHAPE = nodes.literal
TEX = re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL)


def card(name: str, kind: str, chapter: Chapter, front: str, back: str, see: dict) -> dict:
    """Return a card: the HTML of its front and back, and where it is explained."""
    fields = {"id": name, "kind": kind, "chapter": chapter.name}
    return fields | {"front": front, "back": back, "see": [see]}


def inside(tag: Tag) -> str:
    """Return the inner HTML of a tag, without its permalinks."""
    for link in tag.select("a.headerlink"):
        link.decompose()
    return tag.decode_contents().strip()


def terms(page: BeautifulSoup, chapters: dict[str, Chapter]) -> Iterator[dict[str, Any]]:
    """Yield each glossary entry that names the chapter which explains it."""
    for definition in page.select("dl.glossary > dd"):
        found = CHAPTER.search(str(definition))
        if found is None or found[1] not in chapters:
            continue  # another name for an entry
        names = []
        for tag in definition.find_previous_siblings(True):
            if tag.name != "dt":
                break
            names.insert(0, tag)
        front = f"What is <strong>{' or '.join(map(inside, names))}</strong>?"
        address = f"glossary.html#{names[0]['id']}"
        see = {"href": address, "text": f"{names[0].get_text()} in the glossary"}
        chapter = chapters[found[1]]
        name = f"{chapter.name}#{names[0]['id']}"
        yield card(name, "term", chapter, front, inside(definition), see)


def named(chapters: dict[str, Chapter], trees: dict[str, nodes.document]) -> Iterator[dict]:
    """Yield a card for each named formula, with its name and meaning on the front."""
    for formula in read_formulas():
        if formula.chapter not in chapters:
            continue  # a book with only a few chapters
        chapter, tree = chapters[formula.chapter], trees[formula.chapter]
        written = next(n for n in tree.findall(nodes.Element) if formula.anchor in n["ids"])
        name, says = html.escape(formula.name), html.escape(formula.says)
        address = f"../notebooks/{formula.chapter}.html#{formula.anchor}"
        see = {"href": address, "text": f"{chapter.title}: {formula.name}"}
        asks = f"<strong>{name}</strong>: {says} How is it written?"
        drawn = formulas.render(formulas.lines_of(written.astext()), display=True)
        yield card(f"{formula.chapter}#{formula.anchor}", "formula", chapter, asks, drawn, see)


def letters(
    page: BeautifulSoup, chapters: dict[str, Chapter], trees: dict[str, nodes.document]
) -> Iterator[dict[str, Any]]:
    """Yield a card for each row of the tables of letters that a chapter names or uses."""
    uses = {name: [*tree.findall(is_written)] for name, tree in trees.items()}
    for row in page.select("#shapes tbody tr, #symbols tbody tr"):
        symbol, meaning, *more = row.select("td")
        tex = TEX.search(str(symbol))
        text = html.unescape(tex[1]) if tex else symbol.get_text()
        homes = [name for name in CHAPTER.findall(str(more)) if name in chapters]
        home = next(iter(homes), None) or first_use(text, uses, is_shape=tex is None)
        if home is None:
            continue
        where = " and ".join(f"“{html.escape(chapters[name].title)}”" for name in homes)
        front = f"What does {inside(symbol)} stand for{' in ' if where else ''}{where}?"
        see = {"href": "notation.html#symbols", "text": "Notation"}
        name = f"{home}#letter-{text}"
        yield card(name, "letter", chapters[home], front, inside(meaning), see)


def is_written(node: nodes.Node) -> bool:
    """Return whether a node is a formula or a tensor shape in code font."""
    is_shape = isinstance(node, SHAPE) and node.astext().startswith("(")
    return isinstance(node, nodes.math | nodes.math_block) or is_shape


def first_use(text: str, uses: dict[str, list[nodes.Element]], is_shape: bool) -> str | None:
    """Return the first chapter that uses the first of a list of letters."""
    letter = re.escape(text.split(",")[0].strip())
    alone = re.compile(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])")
    for name, written in uses.items():
        alike = (node for node in written if isinstance(node, SHAPE) == is_shape)
        if any(alone.search(node.astext()) for node in alike):
            return name
    return None


def page_of(app: Sphinx, name: str) -> BeautifulSoup:
    """Return a finished page; an empty one if the book has no such page."""
    path = Path(app.outdir, f"{name}.html")
    return BeautifulSoup(path.read_text("utf-8") if path.is_file() else "", "html.parser")


def write_all(app: Sphinx, exception: Exception | None) -> None:
    """Write the index and the chapters' scripts."""
    if exception or app.builder.format != "html":
        return
    chapters = chapters_of(app.env)
    trees = {name: app.env.get_doctree(f"notebooks/{name}") for name in chapters}
    kept = NbMetadataCollector.get_doc_data(app.env)
    asked = [entry for name in chapters for entry in kept[f"notebooks/{name}"].get("review", [])]
    cards = [
        *terms(page_of(app, "book/glossary"), chapters),
        *named(chapters, trees),
        *letters(page_of(app, "book/notation"), chapters, trees),
    ]
    everything = sorted([*asked, *cards], key=lambda entry: entry["chapter"])
    index = {
        "parts": [
            {
                "name": name,
                "slug": name.casefold().replace(" ", "_"),
                "chapters": [chapter.name for chapter in found],
            }
            for name, found in parts_of(app.env)
            if name
        ],
        "titles": {name: chapter.title for name, chapter in chapters.items()},
        "items": [
            [
                entry["id"],
                entry["kind"],
                entry["chapter"],
                len(entry.get("state", {}).get("choices", [])),
            ]
            for entry in everything
        ],
    }
    write(app, "index", "reviewIndex", index)
    for name in chapters:
        own = [entry for entry in everything if entry["chapter"] == name]
        write(app, f"chapters/{name}", f"reviewChapters[{json.dumps(name)}]", own)


def write(app: Sphinx, name: str, variable: str, data: object) -> None:
    """Write a script that stores data in a global variable of the page."""
    path = Path(app.outdir) / f"_static/review/{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.write_text(f"globalThis.{variable} = {text};\n", "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write_all, priority=BEFORE_ENGINE_CLOSES)
