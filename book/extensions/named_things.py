"""An index for the search page of formulas, figures, exercises, drills, terms and examples.

While the pages are read, each named thing gets an anchor that a link can lead to. Once all pages
are written, `named.js` lists their names and anchors. Only the search page loads it, and
`search_named.js` shows the entries that match the reader's words.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from chapter_cells import exercise_in
from chapter_facts import Chapter
from chapter_lists import chapter_of
from chapter_pictures import LIVE_FIGURES, first_sentence, pictures_in
from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from named_formulas import FILE, place, read_formulas
from practice import is_cell, practice_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from lessons.kit.drills.live_drill import static_problem
from lessons.worked_examples import load

EXAMPLES = "book/worked_examples"
AFTER_THE_WIDGETS = 600


class Thing(NamedTuple):
    """Something that a reader looks for by its name.

    Attributes:
        kind: "formula", "figure", "exercise", "drill", "term" or "example".
        name: what the book calls it.
        anchor: its id on its page.
        also: other names for it.
        says: a sentence about it.
    """

    kind: str
    name: str
    anchor: str
    also: str = ""
    says: str = ""


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Record the named things of a page."""
    found = list(terms_in(doctree))
    if chapter := chapter_of(app.env):
        app.env.note_dependency(str(FILE))
        try:
            found += formulas_in(chapter, doctree)
        except ValueError as error:
            raise ExtensionError(str(error)) from None
        found += [*figures_in(chapter, doctree), *exercises_in(chapter, doctree)]
        found += drills_in(chapter, doctree)
    NbMetadataCollector.set_doc_data(app.env, app.env.docname, "named", found)


def terms_in(doctree: nodes.document) -> Iterator[Thing]:
    """Yield the terms of a glossary; terms that share a definition are one thing."""
    items = (
        item
        for glossary in doctree.findall(addnodes.glossary)
        for item in glossary.findall(nodes.definition_list_item)
    )
    for item in items:
        terms = [term for term in item.children if isinstance(term, nodes.term)]
        first, *others = [term.astext() for term in terms]
        says = first_sentence(item[-1].astext())
        yield Thing("term", first, terms[0]["ids"][0], ", ".join(others), says)


def formulas_in(chapter: Chapter, doctree: nodes.document) -> list[Thing]:
    formulas = [
        formula for formula in read_formulas() if f"notebooks/{formula.chapter}" == chapter.docname
    ]
    place(formulas, doctree)
    return [
        Thing("formula", formula.name, formula.anchor, ", ".join(formula.also), formula.says)
        for formula in formulas
    ]


def figures_in(chapter: Chapter, doctree: nodes.document) -> Iterator[Thing]:
    for picture in pictures_in(chapter, doctree):
        also = picture.kind
        if picture.name:
            words = picture.name.replace("_", " ")
            also = f"live figure, {words}, {LIVE_FIGURES[picture.name].__name__}"
        says = "" if picture.words == picture.title else picture.words
        yield Thing("figure", picture.title, picture.anchor, also, says)


def exercises_in(chapter: Chapter, doctree: nodes.document) -> Iterator[Thing]:
    """Yield the exercises of a chapter, named by the titles of their sections."""
    for box in doctree.findall(is_cell):
        found = exercise_in(chapter.cells[box["cell_index"]])
        if found is None:
            continue
        section = box.parent
        while not isinstance(section, nodes.section):
            section = section.parent
        title = section.next_node(nodes.title).astext().partition(": ")[2]
        name = title[:1].upper() + title[1:]
        also = [found.name, *found.exercise.name.replace("_", " ").split(".")[::-1]]
        also += ["bug hunt"] if found.exercise.is_bug_hunt else []
        yield Thing("exercise", name, section["ids"][0], ", ".join(also), found.task)


def drills_in(chapter: Chapter, doctree: nodes.document) -> Iterator[Thing]:
    for box, kind, call in practice_of(chapter, doctree):
        if kind == "drill":
            name = ast.literal_eval(call.args[0])
            problem = static_problem(name)
            anchor = f"practice-{chapter.cells[box['cell_index']]['id']}"
            yield Thing("drill", problem["title"], anchor, name.replace("_", " "), problem["task"])


def examples() -> Iterator[Thing]:
    """Yield the worked examples, which the appendix lists by name."""
    for entry in load().values():
        name = entry.id.replace("-", " ")
        yield Thing("example", name, f"example-{entry.id}", entry.id, entry.note)


def named(app: Sphinx) -> dict[str, list[Thing]]:
    """Return everything that the book names, by page, in the order of the book."""
    data = NbMetadataCollector.get_doc_data(app.env)
    found = {name: data[name].get("named", []) for name in sorted(app.env.found_docs)}
    if EXAMPLES in found:
        found[EXAMPLES] = list(examples())
    return {name: things for name, things in found.items() if things}


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the index next to the search page."""
    if exception or app.builder.name != "html":
        return
    pages = [
        {
            "url": app.builder.get_target_uri(name),
            "title": app.env.titles[name].astext(),
            "things": things,
        }
        for name, things in named(app).items()
    ]
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, "named.js").write_text(f"var NAMED = {text};\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", collect, priority=AFTER_THE_WIDGETS)
    app.connect("build-finished", write)
