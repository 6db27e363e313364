"""Practice items get an id and predictions cover their answers, as built by Sphinx."""

import re
from html.parser import HTMLParser

import pytest
from sphinx_app import build, notebook, write
from sphinx_app import pages as built_pages

PREDICT = 'predict("Which?", "a", "b")'
CHAPTERS = {
    "01_plain": ["Before.", PREDICT, "x = 1", "y = 2", "Because.\n\n> And so.", "Later."],
    "02_introduced": ["Before.", PREDICT, "Look.", "x = 1", "Because.", "Later."],
    "03_two": [PREDICT, "x = 1", "Because.", PREDICT, "y = 2", "Because of this."],
    "04_next": [PREDICT, "x = 1", PREDICT, "y = 2", "Because."],
    "05_heading": [PREDICT, "x = 1", "## A heading\n\nLater."],
    "06_wide": [PREDICT[:-1] + ", covers=3)", "x = 1", "Because.", "y = 2", "Later."],
    "07_narrow": [PREDICT[:-1] + ", covers=1)", "x = 1", "Later."],
    "08_others": ['question("?")', 'drill("scores")', "%matplotlib inline", "print('predict(')"],
}
COVERED = {
    "01_plain": ["x = 1 y = 2 Because. And so."],
    "02_introduced": ["Look. x = 1 Because."],
    "03_two": ["x = 1 Because.", "y = 2 Because of this."],
    "04_next": ["x = 1", "y = 2 Because."],
    "05_heading": ["x = 1"],
    "06_wide": ["x = 1 Because. y = 2"],
    "07_narrow": ["x = 1"],
    "08_others": [],
}


def chapter(cells: list[str]) -> str:
    """Return a notebook whose cells have the ids a, b, c, …, after a cell with the title."""
    return notebook({"title": "# A title", **dict(zip("abcdefgh", cells, strict=False))})


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Provide the folder of a built book."""
    names = "\n".join(f"notebooks/{name}" for name in CHAPTERS)
    index = f"# Book\n\n```{{toctree}}\n{names}\n```\n\n```{{progress}}\n```\n"
    files = {f"notebooks/{name}.ipynb": chapter(cells) for name, cells in CHAPTERS.items()}
    folder = write(tmp_path_factory.mktemp("book"), ["practice"], {"index.md": index, **files})
    assert "ERROR" not in build(folder)
    return folder


@pytest.fixture(scope="module")
def pages(book):
    """Provide the HTML of the built pages."""
    return built_pages(book)


class Covered(HTMLParser):
    """The text inside each covered part of a page."""

    def __init__(self, page: str):
        super().__init__()
        self.parts: list[list[str]] = []
        self.depth, self.in_script = 0, False
        self.feed(page)
        self.texts = [" ".join("".join(part).split()) for part in self.parts]

    def handle_starttag(self, tag, attrs):
        self.in_script = tag == "script"
        if tag == "div" and self.depth:
            self.depth += 1
        if dict(attrs).get("class") == "tl-covered":
            self.parts.append([])
            self.depth = 1

    def handle_endtag(self, tag):
        self.in_script = False
        if tag == "div" and self.depth:
            self.depth -= 1

    def handle_data(self, data):
        if self.depth and not self.in_script:
            self.parts[-1].append(data)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_prediction_covers_the_next_code_cell_and_the_text_after_it(pages, name):
    assert Covered(pages[name]).texts == COVERED[name]


def test_practice_items_have_an_id_and_a_kind(pages):
    found = re.findall(r'class="cell[^"]*tl-practice ([\w-]+)[^"]*" id="([\w-]+)"', pages["03_two"])
    assert found == [("tl-prediction", "practice-a"), ("tl-prediction", "practice-d")]
    found = re.findall(r'tl-practice ([\w-]+)[^"]*" id="([\w-]+)"', pages["08_others"])
    assert found == [("tl-quiz", "practice-a"), ("tl-drill", "practice-b")]


def test_the_button_controls_its_answer_and_is_hidden_without_scripts(pages):
    page = pages["03_two"]
    for name in ("answer-a", "answer-d"):
        assert f'aria-expanded="false" aria-controls="{name}">Show me</button>' in page
        assert f'<div class="tl-covered" id="{name}">' in page
    assert page.count('<div class="tl-cover-bar" hidden>') == 2


def test_a_prediction_with_nothing_to_cover_stops_the_build(book, pages):
    wrong = chapter(["Before.", PREDICT, "Text."])
    (book / "notebooks/01_plain.ipynb").write_text(wrong, encoding="utf-8")
    said = " ".join(build(book).split())
    assert "01_plain.ipynb, cell 2: predict must have a code cell to cover" in said
