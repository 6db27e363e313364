"""The map and the line under a title, built by Sphinx in a small book."""

import re
from pathlib import Path

import pytest
import yaml
from sphinx_app import build, notebook, texts, write
from sphinx_app import pages as built_pages

ROOT = Path(__file__).parents[3]
TOC = {
    "root": "index",
    "subtrees": [
        {"caption": "One", "entries": [{"file": "notebooks/01_first"}]},
        {"caption": "Two", "entries": [{"file": "notebooks/02_second"}]},
    ],
}
CHAPTERS = {
    "01_first": (
        "First: one",
        {"minutes": 20, "difficulty": 1, "promise": "how it begins", "background": ["sums"]},
    ),
    "02_second": (
        "Second, two",
        {"minutes": 45, "difficulty": 3, "promise": "how it ends", "needs": ["01_first"]},
    ),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Provide the text and the HTML of the built pages."""
    files = {"_toc.yml": yaml.safe_dump(TOC), "index.md": "# Book\n\n```{chapter-map}\n```\n"}
    for name, (title, facts) in CHAPTERS.items():
        files[f"notebooks/{name}.ipynb"] = notebook({"title": f"# {title}\n\nText."}, facts)
    toc = {"external_toc_path": "_toc.yml", "external_toc_exclude_missing": True}
    extensions = ["sphinx_external_toc", "chapter_lists", "chapter_opening"]
    book = write(tmp_path_factory.mktemp("book"), extensions, files, **toc)
    assert build(book, "-W", "-n") == ""
    return built_pages(book)


def test_a_chapter_opens_with_its_facts(pages):
    line = '<p class="chapter-facts">(.*?)</p>'
    first = "Chapter 01 · 20 minutes · ●○○ easy · You need first: sums."
    second = "Chapter 02 · 45 minutes · ●●● steep · You need first: First."
    assert [texts(pages[name], line) for name in CHAPTERS] == [[first], [second]]
    assert re.search(f'{line[:-9]}.*?href="01_first.html"', pages["02_second"])
    assert "chapter-facts" not in pages["index"]


def test_the_list_of_pages_numbers_the_chapters(pages):
    listed = texts(pages["index"], '<li class="toctree-l1">(.*?)</li>')
    assert listed[:2] == ["01 First: one", "02 Second, two"]


def test_the_map_lists_and_links_every_chapter(pages):
    table = pages["index"].split("<table")[1]
    assert texts(table, "<td>(.*?)</td>") == [
        *("01 First: one", "how it begins", "20", "●○○ easy", "sums"),
        *("02 Second, two", "how it ends", "45", "●●● steep", "First"),
    ]
    drawing = pages["index"].partition("<svg")[2].partition("</svg>")[0]
    assert re.findall(r'<a href="([^"]+)"', drawing) == [
        "notebooks/01_first.html",
        "notebooks/02_second.html",
    ]
    assert drawing.count('marker-end="url(#map-tip)"') == 1


def test_every_notebook_is_a_chapter_of_the_book():
    names = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    assert [f.partition("/")[2] for f in files if f.startswith("notebooks/")] == names
