"""The appendix of worked examples, built by Sphinx in a small book of its own."""

import re
from pathlib import Path

import pytest
from sphinx_app import build, notebook, pages, write

from lessons.worked_examples import DOCUMENTS, VERDICTS, load

ROOT = Path(__file__).parents[3]
ENTRIES = load()

TITLE = {"title": '# A chapter\n\n`compare("rope-adopters")` in prose only'}
CELLS = {
    "one": 'compare("zscore-mean", "zscore-std")',
    "two": "%matplotlib inline\nwe.compare(*['masked-softmax-row-3'])",
    "named": 'print("pe-1-0")  # named, but not compared',
    "broken": "not python at all",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    keys = [document.citation for document in DOCUMENTS.values()]
    works = [f"@misc{{{key}, author={{A. {key}}}, title={{T}}, year={{2025}}}}" for key in keys]
    page = (ROOT / "book" / "worked_examples.md").read_text(encoding="utf-8")
    link = "\n[to an entry](#example-zscore-std)\n\n```{bibliography}\n```\n"
    files = {
        "references.bib": "\n".join(works),
        "worked_examples.md": page + link,
        "index.md": "# Book\n\n```{toctree}\nworked_examples\nnotebooks/01_chapter\n```\n",
        "notebooks/01_chapter.ipynb": notebook(TITLE | CELLS),
    }
    extensions = ["sphinxcontrib.bibtex", "worked_examples_table"]
    folder = tmp_path_factory.mktemp("book")
    write(folder, extensions, files, bibtex_bibfiles=["references.bib"])
    assert build(folder, "-W", "-n") == ""
    return folder


@pytest.fixture(scope="module")
def page(book):
    return pages(book)["worked_examples"]


def row(page, entry_id):
    return next(r for r in page.split("<dt") if f'id="example-{entry_id}"' in r)


def test_every_entry_has_an_anchor_and_a_row(page):
    assert re.findall(r'id="example-([^"]+)"', page) == list(ENTRIES)
    assert page.count("<dt") == len(ENTRIES) + len(VERDICTS)


def test_a_row_shows_lines_value_note_and_verdict(page):
    found = row(page, "output-the-sum")
    for text in ("lines 425, 431", "[1.2669, 0.9999, 1.2669, 0.9999]", "counts SAT twice"):
        assert text in found
    assert '<span class="verdict verdict-disagrees">disagrees</span>' in found


def test_used_entries_link_to_their_chapter_and_unused_ones_are_marked(page):
    used = ("zscore-mean", "zscore-std", "masked-softmax-row-3")
    for entry_id in used:
        link = 'href="notebooks/01_chapter.html"><span class="doc">A chapter</span>'
        assert link in row(page, entry_id)
    assert page.count("Chapter not written yet") == len(ENTRIES) - len(used)
    assert "Chapter not written yet" in row(page, "pe-1-0")
    assert "Chapter not written yet" in row(page, "rope-adopters")


def test_a_changed_chapter_changes_the_page(book, page):
    chapter = notebook(TITLE | {"one": 'compare("pe-1-0")'})
    (book / "notebooks/01_chapter.ipynb").write_text(chapter, encoding="utf-8")
    assert build(book, "-W", "-n") == ""
    changed = pages(book)["worked_examples"]
    assert 'href="notebooks/01_chapter.html"' in row(changed, "pe-1-0")
    assert "Chapter not written yet" in row(changed, "zscore-mean")
