"""The appendix of worked examples, built by Sphinx in a small book of its own."""

import re
from pathlib import Path

import nbformat
import pytest
import worked_examples_table as extension
from sphinx_here import build

from transformer_lite.worked_examples import DOCUMENTS, VERDICTS, load

ROOT = Path(__file__).parents[2]
ENTRIES = load()

CONF = """
extensions = ["myst_nb", "sphinxcontrib.bibtex", "worked_examples_table"]
bibtex_bibfiles = ["references.bib"]
nb_execution_mode = "off"
exclude_patterns = ["_build"]
"""
CELLS = [
    'compare("zscore-mean", "zscore-std")',
    "%matplotlib inline\nwe.compare(*['masked-softmax-row-3'])",
    'print("pe-1-0")  # named, but not compared',
    "not python at all",
]


def notebook(*cells):
    """A notebook in which the first cell is Markdown, with a title."""
    v4 = nbformat.v4
    title = v4.new_markdown_cell('# A chapter\n\n`compare("rope-adopters")` in prose only')
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    all_cells = [title, *map(v4.new_code_cell, cells)]
    return nbformat.writes(v4.new_notebook(cells=all_cells, metadata=metadata))


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    (folder / "conf.py").write_text(CONF, encoding="utf-8")
    keys = [document.citation for document in DOCUMENTS.values()]
    works = [f"@misc{{{key}, author={{A. {key}}}, title={{T}}, year={{2025}}}}" for key in keys]
    (folder / "references.bib").write_text("\n".join(works), encoding="utf-8")
    page = (ROOT / "book" / "worked_examples.md").read_text(encoding="utf-8")
    link = "\n[to an entry](#example-zscore-std)\n\n```{bibliography}\n```\n"
    (folder / "worked_examples.md").write_text(page + link, encoding="utf-8")
    (folder / "index.md").write_text(
        "# Book\n\n```{toctree}\nworked_examples\nchapter\n```\n", encoding="utf-8"
    )
    (folder / "chapter.ipynb").write_text(notebook(*CELLS), encoding="utf-8")
    assert build(folder, "-W", "-n") == ""
    return folder


@pytest.fixture(scope="module")
def page(book):
    return (book / "_build/html/worked_examples.html").read_text(encoding="utf-8")


def row(page, entry_id):
    return next(r for r in page.split("<dt") if f'id="example-{entry_id}"' in r)


def test_every_entry_has_an_anchor_and_a_row(page):
    assert re.findall(r'id="example-([^"]+)"', page) == list(ENTRIES)
    assert page.count("<dt") == len(ENTRIES) + len(VERDICTS)


def test_a_row_holds_the_entry(page):
    found = row(page, "output-the-sum")
    for text in ("lines 425, 431", "[1.2669, 0.9999, 1.2669, 0.9999]", "counts SAT twice"):
        assert text in found
    assert '<span class="verdict verdict-disagrees">disagrees</span>' in found


def test_used_entries_link_to_their_chapter_and_the_others_say_so(page):
    used = ("zscore-mean", "zscore-std", "masked-softmax-row-3")
    for entry_id in used:
        assert 'href="chapter.html"' in row(page, entry_id) and "A chapter" in row(page, entry_id)
    assert page.count("Chapter not written yet") == len(ENTRIES) - len(used)
    assert "Chapter not written yet" in row(page, "pe-1-0")
    assert "Chapter not written yet" in row(page, "rope-adopters")


def test_the_counts_are_generated(page):
    verdicts = [entry.verdict for entry in ENTRIES.values()]
    for verdict in VERDICTS:
        shown = rf">{verdict}</span> \({verdicts.count(verdict)}\)"
        assert re.search(shown, page), verdict
    source = (ROOT / "book" / "worked_examples.md").read_text(encoding="utf-8")
    assert re.findall(r"\d+", source) == []


def test_documents_are_sections_with_a_citation(page):
    for key, document in DOCUMENTS.items():
        section = page.partition(f'<section id="document-{key}">')[2].partition("<dl")[0]
        assert re.search(rf"<h2>{re.escape(document.author)}: ", section)
        assert re.search(rf'<a class="reference internal" [^>]*"A. {document.citation}\.', section)


def test_a_changed_chapter_changes_the_page(book, page):
    (book / "chapter.ipynb").write_text(notebook('compare("pe-1-0")'), encoding="utf-8")
    assert build(book, "-W", "-n") == ""
    changed = (book / "_build/html/worked_examples.html").read_text(encoding="utf-8")
    assert 'href="chapter.html"' in row(changed, "pe-1-0")
    assert "Chapter not written yet" in row(changed, "zscore-mean")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('compare("zscore-mean")', {"zscore-mean"}),
        ('x = 1\nwe.compare(*["zscore-mean", "no-such-id"])', {"zscore-mean"}),
        ('%time\n!ls\ncompare("zscore-mean", caption="zscore-std")', {"zscore-mean", "zscore-std"}),
        ('load()["zscore-mean"]', set()),
        ('# compare("zscore-mean")', set()),
        ("def broken(", set()),
    ],
)
def test_ids_are_found_in_calls_of_compare(source, found):
    assert extension.compared({"source": source}, ENTRIES) == found
