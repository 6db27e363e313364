"""One letter means one thing: the formulas of all chapters against the notation page."""

from pathlib import Path

import pytest
from chapters import CHAPTERS, read, source
from notation import PAGE, defined, forbidden, formulas, letters, two_meanings, unknown_letters

ROOT = Path(__file__).parents[2]
KNOWN = defined((ROOT / PAGE).read_text(encoding="utf-8"))
PAGES = sorted(ROOT.glob("book/*.md"))

each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)


def text_of(path: Path) -> str:
    """The words of a chapter, or of a page."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = [cell for cell in read(path).cells if cell.cell_type == "markdown"]
    return "\n\n".join(source(cell) for cell in cells)


@each_chapter
def test_every_letter_of_a_chapter_is_on_the_notation_page(path):
    assert unknown_letters(text_of(path), path.stem, KNOWN) == []


@each_chapter
def test_a_chapter_follows_the_rules_of_notation(path):
    assert forbidden(text_of(path)) == []


@each_page
def test_every_letter_of_a_page_is_on_the_notation_page(path):
    text = text_of(path).split("## The documents' letters")[0]  # theirs are not ours
    own = path.name == Path(PAGE).name
    known = {x: [frozenset()] for x, places in KNOWN.items() if own or frozenset() in places}
    assert unknown_letters(text, path.stem, known) == []
    assert forbidden(text) == []


def test_no_letter_has_two_meanings():
    assert two_meanings(KNOWN) == []


def test_every_chapter_that_the_page_names_exists_and_uses_the_letter():
    texts = {path.stem: text_of(path) for path in CHAPTERS}
    for letter, places in KNOWN.items():
        for chapter in frozenset().union(*places):
            used = set().union(*map(letters, formulas(texts[chapter])))
            assert letter in used, f"{letter} is not in a formula of {chapter}"


def test_formulas_are_found_and_code_is_not():
    text = "a $x_i$ b `$no$` $$\ny = W^Q x\n$$ costs 5$ and 6$ here\n```\n$z$\n```"
    assert [*formulas(text)] == ["x_i", "\ny = W^Q x\n"]


def test_words_and_commands_are_not_letters():
    formula = r"\text{softmax}\left(\frac{QK^\top}{\sqrt{d_{\text{head}}}}\right)"
    assert letters(formula) == {"Q", "K", "d"}


def test_rows_of_the_page_are_read():
    rows = (
        "| $q, k$ | a query | |\n| $W$: $W^Q$ | a matrix | |\n"
        "| $z$ | logits | [18](../notebooks/18_feed_forward.ipynb) |\n"
    )
    none = frozenset()
    assert defined(rows) == {
        "q": [none],
        "k": [none],
        "W": [none],
        "z": [frozenset({"18_feed_forward"})],
    }


def test_an_unknown_letter_is_named_with_its_formula():
    known = {"x": [frozenset()], "z": [frozenset({"a"})]}
    assert unknown_letters("$x$ and $z$", "a", known) == []
    assert unknown_letters("$x$ and $z + u$", "b", known) == ["u in $z + u$", "z in $z + u$"]


def test_two_meanings_clash_only_within_the_same_chapter():
    everywhere, first, second = frozenset(), frozenset({"a"}), frozenset({"b"})
    assert two_meanings({"z": [first, second]}) == []
    assert two_meanings({"z": [first, first]}) == ["z"]
    assert two_meanings({"z": [first, everywhere]}) == ["z"]


@pytest.mark.parametrize(
    "formula", [r"W^{(q)} x", r"q / \sqrt{K}", "b_{i - j}", "R_{m-n}", r"\frac{1}{\sqrt K}"]
)
def test_forbidden_notation_is_found(formula):
    assert len(forbidden(f"so ${formula}$ is")) == 1


@pytest.mark.parametrize("formula", ["j - i", "|i - j|", r"W^Q x", r"Q K^\top", r"\sqrt{d}"])
def test_allowed_notation_passes(formula):
    assert forbidden(f"so ${formula}$ is") == []
