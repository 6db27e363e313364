"""What Review lets a reader say before it is seen: the glossary, the named formulas, the notation.

They are cut out of the finished pages, where formulas are drawn and links are made, and go into a
script that only Review loads. Each belongs to the chapter that works it out, and comes when that
chapter is taken in.
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
from chapter_lists import chapters_of
from docutils import nodes
from named_formulas import read_formulas
from sphinx.application import Sphinx

CHAPTER = re.compile(r"notebooks/(\d\d_\w+)\.html")
BEFORE_ENGINE_CLOSES = 400
TEX = re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL)


def card(name: str, kind: str, chapter: Chapter, front: str, back: str, see: dict) -> dict:
    """Return a card: HTML on its front and on its back, and where it is explained."""
    told = {"id": name, "kind": kind, "chapter": chapter.name, "title": chapter.title}
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
        if found is None:
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
        homes = CHAPTER.findall(str(more))
        home = next(iter(homes), None) or first_use(text, uses, is_shape=tex is None)
        if home is None:
            continue
        where = " and ".join(f"“{html.escape(chapters[name].title)}”" for name in homes)
        front = f"What does {inside(symbol)} stand for{' in ' if where else ''}{where}?"
        see = {"href": "notation.html#symbols", "text": "Notation"}
        name = f"{home}#letter-{text}"
        yield card(name, "letter", chapters[home], front, inside(meaning), see)


SHAPE = nodes.literal


def is_written(node: nodes.Node) -> bool:
    """Say whether a node is a formula, or the shape of a tensor in code font."""
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


def write_cards(app: Sphinx, exception: Exception | None) -> None:
    """Write all cards into one script."""
    if exception or app.builder.format != "html":
        return
    out, chapters = Path(app.outdir), chapters_of(app.env)
    trees = {name: app.env.get_doctree(f"notebooks/{name}") for name in chapters}
    glossary, notation = (
        BeautifulSoup((out / f"book/{name}.html").read_text("utf-8"), "html.parser")
        for name in ("glossary", "notation")
    )
    cards = [
        *terms(glossary, chapters),
        *named(chapters, trees),
        *letters(notation, chapters, trees),
    ]
    text = json.dumps(cards, ensure_ascii=False, separators=(",", ":"))
    path = out / "_static/review/cards.js"
    path.write_text(f"globalThis.reviewCards = {text};\n", "utf-8")


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", write_cards, priority=BEFORE_ENGINE_CLOSES)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
