"""A failing chapter loses its results and whatever uses them; other pages are unaffected."""

import re

import pytest
from sphinx_app import build, notebook, pages, texts, write

ERROR = {
    "output_type": "error",
    "ename": "ZeroDivisionError",
    "evalue": "division by zero",
    "traceback": ["Traceback", "ZeroDivisionError: division by zero"],
}
EXTENSIONS = ["failed_cells", "moments", "practice", "cell_links", "review", "named_things"]
INDEX = "# Book\n\n```{toctree}\nnotebooks/08_masks\nguide\nother\n```\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Provide a book whose only live figure failed, what the build printed, and its pages."""
    cells = {"08-title": "# Masks", "08-figure": "1 / 0\nMaskLab(tour=True)"}
    files = {
        "notebooks/08_masks.ipynb": notebook(cells, outputs=[ERROR]),
        "index.md": INDEX,
        "guide.md": "# Guide\n\nSee {moments}`mask_lab 2` and {ref}`it <cell-08-figure>`.\n",
        "other.md": "# Other\n\nText.\n",
    }
    folder = write(tmp_path_factory.mktemp("book"), EXTENSIONS, files)
    return folder, build(folder, "-n"), pages(folder)


def test_all_pages_are_built_and_incomplete_ones_warn(book):
    _, said, built = book
    assert {"index", "08_masks", "guide", "other"} <= built.keys()
    found = re.findall(r"(\w+)\.(?:md|ipynb): WARNING: (.*?)(?:\x1b|\n)", said)
    assert found == [
        ("08_masks", "cell 08-figure failed: ZeroDivisionError: division by zero"),
        ("guide", "notebooks/08_masks shows no tour-mask_lab-2: did its cell run?"),
    ]


def test_a_note_in_the_chapter_names_and_links_the_failed_cell(book):
    page = book[2]["08_masks"]
    (note,) = texts(page, r'<div class="admonition warning">(.*?)</div>')
    assert note.endswith(
        "This chapter ends early: a cell failed: ZeroDivisionError: division by zero. "
        "What follows it has no results."
    )
    assert 'href="#cell-08-figure"' in page and 'id="cell-08-figure"' in page


def test_a_cell_tagged_raises_exception_is_not_a_failure(tmp_path):
    text = notebook({"08-title": "# Masks", "08-error": "1 / 0"}, outputs=[ERROR])
    text = text.replace('"tags": []', '"tags": ["raises-exception"]')
    files = {"notebooks/08_masks.ipynb": text, "index.md": "# Book\n"}
    assert "failed" not in build(write(tmp_path, EXTENSIONS, files))
