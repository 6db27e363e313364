"""What Review can ask, written for its page: an index of everything, and a script for each chapter.

Questions and drills were noted while chapters were read (`review.py`). Terms, formulas and letters
are cut out of the finished pages, where formulas are drawn and links are made; each belongs to the
chapter that works it out, and comes when that chapter is taken in.
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
    """Return a card: HTML on its front and on its back, and where it is explained."""
    told = {"id": name, "kind": kind, "chapter": chapter.name}
    return told | {"front": front, "back": back, "see": [see]}


def inside(tag: Tag) -> str:
    """Return what stands in a tag, without the links to itself."""
    for link in tag.select("a.headerlink"):
        link.decompose()
    return tag.decode_contents().strip()


def terms(page: BeautifulSoup, chapters: dict[str, Chapter]) -> Iterator[dict[str, Any]]:
    """Yield each entry of the glossary that names the chapter which works it out."""
    for definition in page.select("dl.glossary > dd"):
        found = CHAPTER.search(str(definition))
        if found is None or found[1] not in chapters:
            continue  # another name of an entry
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
    """Yield each named formula: its name and what it says, then the formula."""
    for one in read_formulas():
        if one.chapter not in chapters:
            continue  # a book of a few chapters
        chapter, tree = chapters[one.chapter], trees[one.chapter]
        written = next(n for n in tree.findall(nodes.Element) if one.anchor in n["ids"])
        name, says = html.escape(one.name), html.escape(one.says)
        address = f"../notebooks/{one.chapter}.html#{one.anchor}"
        see = {"href": address, "text": f"{chapter.title}: {one.name}"}
        asks = f"<strong>{name}</strong>: {says} How is it written?"
        drawn = formulas.render(formulas.lines_of(written.astext()), display=True)
        yield card(f"{one.chapter}#{one.anchor}", "formula", chapter, asks, drawn, see)


def letters(
    page: BeautifulSoup, chapters: dict[str, Chapter], trees: dict[str, nodes.document]
) -> Iterator[dict[str, Any]]:
    """Yield each line of the tables of letters, for the first chapter that it names or uses it."""
    uses = {name: [*tree.findall(is_written)] for name, tree in trees.items()}
    for row in page.select("#shapes tbody tr, #symbols tbody tr"):
        symbol, meaning, more = row.select("td")
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
    """Return whether a node is a formula, or the shape of a tensor in code font."""
    is_shape = isinstance(node, SHAPE) and node.astext().startswith("(")
    return isinstance(node, nodes.math | nodes.math_block) or is_shape


def first_use(text: str, uses: dict[str, list[nodes.Element]], is_shape: bool) -> str | None:
    """Return the first chapter that writes the first of a list of letters."""
    letter = re.escape(text.split(",")[0].strip())
    alone = re.compile(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])")
    for name, written in uses.items():
        alike = (node for node in written if isinstance(node, SHAPE) == is_shape)
        if any(alone.search(node.astext()) for node in alike):
            return name
    return None


def page_of(app: Sphinx, name: str) -> BeautifulSoup:
    """Return a finished page; an empty one where the book has no such page."""
    path = Path(app.outdir, f"{name}.html")
    return BeautifulSoup(path.read_text("utf-8") if path.is_file() else "", "html.parser")


def write_all(app: Sphinx, exception: Exception | None) -> None:
    """Write the index and the chapters' scripts."""
    if exception or app.builder.format != "html":
        return
    chapters = chapters_of(app.env)
    trees = {name: app.env.get_doctree(f"notebooks/{name}") for name in chapters}
    kept = NbMetadataCollector.get_doc_data(app.env)
    asked = [one for name in chapters for one in kept[f"notebooks/{name}"].get("review", [])]
    cards = [
        *terms(page_of(app, "book/glossary"), chapters),
        *named(chapters, trees),
        *letters(page_of(app, "book/notation"), chapters, trees),
    ]
    everything = sorted([*asked, *cards], key=lambda one: one["chapter"])
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
            [one["id"], one["kind"], one["chapter"], len(one.get("state", {}).get("choices", []))]
            for one in everything
        ],
    }
    write(app, "index", "reviewIndex", index)
    for name in chapters:
        own = [one for one in everything if one["chapter"] == name]
        write(app, f"chapters/{name}", f"reviewChapters[{json.dumps(name)}]", own)


def write(app: Sphinx, name: str, variable: str, told: object) -> None:
    """Write a script that leaves something on the page's window."""
    path = Path(app.outdir) / f"_static/review/{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    path.write_text(f"globalThis.{variable} = {text};\n", "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", write_all, priority=BEFORE_ENGINE_CLOSES)
