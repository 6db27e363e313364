"""The appendix of worked examples, generated from the data of `lessons.worked_examples`.

There are three directives. `worked-examples-verdicts` lists the verdicts with their meanings and
counts. `worked-examples` makes one list for each document. `errata` lists what is wrong or
ambiguous in one document. An entry belongs to the chapters whose code cells name it in a call of
`compare`.
"""

import ast
from collections import Counter
from pathlib import Path
from typing import cast

from chapter_cells import calls_in, code_cells
from chapter_lists import ChapterDirective, between, link
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.util.docutils import SphinxDirective

from lessons import worked_examples
from lessons.worked_examples import DOCUMENTS, VERDICTS, WorkedExample, load
from lessons.worked_examples.comparison import format_value, verdict_class
from lessons.worked_examples.verdicts import printed_decimals


class VerdictList(SphinxDirective):
    """List the verdicts, with their meanings and numbers of entries."""

    def run(self) -> list[nodes.Node]:
        entries = load().values()
        counts = Counter(entry.verdict for entry in entries)
        items = [
            nodes.definition_list_item(
                "",
                nodes.term("", "", verdict_node(verdict), nodes.Text(f" ({counts[verdict]})")),
                nodes.definition("", nodes.paragraph("", meaning)),
            )
            for verdict, meaning in VERDICTS.items()
        ]
        return [nodes.definition_list("", *items), nodes.paragraph("", summary(entries))]


class ExampleTables(ChapterDirective):
    """Make a section for each document, with a list of its entries."""

    def build_nodes(self) -> list[nodes.Node]:
        entries = load().values()
        for path in Path(worked_examples.__file__).with_name("data").glob("*.json"):
            self.env.note_dependency(str(path))
        uses = {
            chapter.docname: set().union(*map(compared, code_cells(chapter)))
            for chapter in self.chapters().values()
        }
        return [
            self.section(key, [entry for entry in entries if entry.document == key], uses)
            for key in DOCUMENTS
        ]

    def section(
        self, key: str, entries: list[WorkedExample], uses: dict[str, set[str]]
    ) -> nodes.section:
        document = DOCUMENTS[key]
        title = nodes.title("", f"{document.author}: {document.title}")
        section = nodes.section("", title, ids=[f"document-{key}"], names=[f"document-{key}"])
        counts = Counter(entry.verdict for entry in entries)
        shares = ", ".join(f"{v} {counts[v]}" for v in VERDICTS if counts[v])
        text = f"{len(entries)} entries from {{cite:t}}`{document.citation}`. Verdicts: {shares}."
        inline, messages = self.parse_inline(text, lineno=self.lineno)
        section += nodes.paragraph("", "", *inline)
        section += messages
        items = [
            self.item(entry, [name for name, ids in uses.items() if entry.id in ids])
            for entry in entries
        ]
        section += nodes.definition_list("", *items, classes=["worked-examples"])
        return section

    def item(self, entry: WorkedExample, docnames: list[str]) -> nodes.definition_list_item:
        """Return an entry: verdict, id, lines, printed value, right value and reason."""
        anchor = f"example-{entry.id}"
        standard = cast(StandardDomain, self.env.get_domain("std"))
        standard.note_hyperlink_target(anchor, self.env.docname, anchor, entry.id)
        decimals = max(4, printed_decimals(entry.printed))
        values = nodes.container(
            "",
            labelled("Printed", format_value(entry.printed)),
            labelled("Right", format_value(entry.value, decimals)),
            classes=["worked-values"],
        )
        name = nodes.literal("", entry.id, ids=[anchor])
        where = nodes.Text(f" {entry.source.partition(', ')[2]}")
        term = nodes.term("", "", verdict_node(entry.verdict), nodes.Text(" "), name, where)
        note = nodes.paragraph("", entry.note)
        chapters = nodes.paragraph("", "", *self.used_in(docnames), classes=["worked-chapters"])
        return nodes.definition_list_item("", term, nodes.definition("", values, note, chapters))

    def used_in(self, docnames: list[str]) -> list[nodes.Node]:
        links = [
            link(self.env, "doc", f"/{docname}", nodes.inline("", docname)) for docname in docnames
        ]
        if not links:
            return [nodes.Text("Chapter not written yet.")]
        return [nodes.Text("In chapter: "), *between(links)]


class Errata(SphinxDirective):
    """List where a document differs from the right value or can be read in two ways."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        [key] = self.arguments
        if key not in DOCUMENTS:
            raise self.error(f"errata must name one of {list(DOCUMENTS)}, got {key}")
        found = [
            entry
            for entry in load().values()
            if entry.document == key and entry.verdict in ("disagrees", "ambiguous")
        ]
        return [nodes.definition_list("", *map(self.item, found), classes=["worked-examples"])]

    def item(self, entry: WorkedExample) -> nodes.definition_list_item:
        name = nodes.literal("", entry.id)
        more = link(self.env, "ref", f"example-{entry.id}", name, own_text=True)
        where = nodes.Text(f" {entry.source.partition(', ')[2]} ")
        term = nodes.term("", "", verdict_node(entry.verdict), where, more)
        return nodes.definition_list_item(
            "", term, nodes.definition("", nodes.paragraph("", entry.note))
        )


def summary(entries) -> str:
    """Return how many entries are computed and how many are claims."""
    computing = sum(entry.computes for entry in entries)
    claims = sum(entry.claim for entry in entries)
    return (
        f"Of the {len(entries)} entries, {computing} are computed by this package whenever the "
        f"book is tested. {claims} are about wording, with nothing to compute."
    )


def verdict_node(verdict: str) -> nodes.inline:
    return nodes.inline("", verdict, classes=["verdict", verdict_class(verdict)])


def labelled(label: str, texts: list[str]) -> nodes.container:
    """Return texts under a label."""
    return nodes.container("", nodes.paragraph("", "", nodes.strong("", label)), lines(texts))


def lines(texts: list[str]) -> nodes.Node:
    """Put each text on a line of its own."""
    if len(texts) == 1:
        return nodes.paragraph("", texts[0])
    return nodes.line_block("", *[nodes.line("", text) for text in texts])


def compared(cell: dict) -> set[str]:
    """Return all texts inside the calls of `compare` in a code cell, including ids of entries."""
    calls = [call for name, call in calls_in(cell) if name in ("compare", ".compare")]
    inside = [node for call in calls for node in ast.walk(call)]
    return {n.value for n in inside if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def setup(app: Sphinx) -> None:
    app.add_css_file("worked_examples.css")
    app.add_directive("worked-examples-verdicts", VerdictList)
    app.add_directive("worked-examples", ExampleTables)
    app.add_directive("errata", Errata)
