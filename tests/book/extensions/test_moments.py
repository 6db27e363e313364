"""Moments of tours, named in lesson plans by a role and in chapters by links."""

import re
from pathlib import Path

import pytest
from chapter_facts import read_chapter
from moments import toured
from sphinx_app import build, notebook, pages, write

from lessons.kit.figures.registry import MaskLab

CHAPTERS = sorted((Path(__file__).parents[3] / "notebooks").glob("*.ipynb"))
GUIDE = "# Guide\n\n| with what |\n|---|\n| live figure {moments}`mask_lab 2 5` |\n"
WRONG = {
    "mask_labs 1": "moments must name a figure with a tour, as in 'mask_lab 2', got 'mask_labs'",
    "mask_lab": "moments of mask_lab must be some of 1 to 6, got []",
    "mask_lab 1 7": "moments of mask_lab must be some of 1 to 6, got ['1', '7']",
    "mask_lab 0": "moments of mask_lab must be some of 1 to 6, got ['0']",
}


def figure() -> MaskLab:
    rows = [[0.1], [0.5], [0.9], [0.0]]
    return MaskLab(token_ids=[1, 2, 3, 0], words=["a", "b", "c"], embeddings=rows, tour=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Provide the folder of a book of one chapter, whose figure is as its page shows it."""
    shown = {
        "data": {"text/html": figure().to_html()},
        "metadata": {},
        "output_type": "display_data",
    }
    cells = {"08-title": "# Masks", "08-figure": "figure = MaskLab(tour=True)"}
    files = {
        "notebooks/08_masks.ipynb": notebook(cells, outputs=[shown]),
        "index.md": "# Book\n\n```{toctree}\nnotebooks/08_masks\nguide\n```\n",
    }
    return write(tmp_path_factory.mktemp("book"), ["moments"], files)


def test_a_moment_shows_its_first_sentence_and_links_to_figure_and_projector(book):
    (book / "guide.md").write_text(GUIDE, encoding="utf-8")
    assert build(book, "-W", "-n") == ""
    pattern = r'<span class="teaching-moment">(.*?</a>) (.*?</a>)</span>'
    moments = re.findall(pattern, pages(book)["guide"])
    assert len(moments) == 2
    for number, (what, screen) in zip((2, 5), moments, strict=True):
        address = f"notebooks/08_masks.html#tour-mask_lab-{number}"
        text = figure().moments()[number - 1][1]
        assert f'href="{address}"' in what and f'href="{address}&amp;projector"' in screen
        told = re.sub("<[^>]+>", "", what).removeprefix(f"moment {number}: ")
        assert told == text.partition(". ")[0] + "."
        assert f'title="Moment {number} on the projector"' in screen


def test_wrong_names_in_a_plan_are_reported(book):
    lines = "\n\n".join(f"{{moments}}`{text}`" for text in WRONG)
    (book / "guide.md").write_text(f"# Guide\n\n{lines}\n", encoding="utf-8")
    said = build(book, "-n")
    assert [message for message in WRONG.values() if message not in said] == []
    assert said.count("ERROR") == len(WRONG)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_text_of_a_chapter_leads_to_moments_of_its_figure(path):
    chapter = read_chapter(path)
    text = "".join("".join(c["source"]) for c in chapter.cells if c["cell_type"] == "markdown")
    links = re.findall(r'<a href="#tour-(\w+)-(\d+)">', text)
    known = toured(chapter)
    assert text.count("#tour-") == len(links)
    assert bool(links) == bool(known)
    for figure, number in links:
        assert 1 <= int(number) <= known[figure]
