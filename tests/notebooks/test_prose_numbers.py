"""Every decimal number in a chapter's words is one that the chapter computes or compares."""

from dataclasses import dataclass, field
from decimal import Decimal

import pytest
from chapters import CHAPTERS, read
from nbformat import NotebookNode
from prose_numbers import bears_out, decimal_numbers, unfounded
from samples import chapter, code, displayed

from lessons import worked_examples


def exceptions(notebook: NotebookNode) -> dict[str, str]:
    """Phrases that a chapter's metadata ask to pass over, each with the reason.

    Keep it short: a number that the chapter can print needs no exception.
    """
    return notebook.metadata.chapter.get("uncomputed", {})


each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@each_chapter
def test_every_number_of_a_chapter_is_confirmed_by_its_outputs(path):
    notebook = read(path)
    assert unfounded(notebook, worked_examples.load(), exceptions(notebook)) == []


@each_chapter
def test_every_exception_is_needed(path):
    notebook = read(path)
    phrases = exceptions(notebook)
    for phrase in phrases:
        others = {other: reason for other, reason in phrases.items() if other != phrase}
        assert unfounded(notebook, worked_examples.load(), others), f"{phrase!r} needs no exception"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 0.8446.", ["0.8446"]),
        ("about −1.34, or -1.34", ["-1.34", "-1.34"]),
        ("from 0.5–0.7 to 1.5-0.5 and (x)−0.5", ["0.5", "0.7", "1.5", "0.5", "0.5"]),
        ("[2.5,−0.5], (−.25) $-0.5$", ["2.5", "-0.5", "-.25", "-0.5"]),
        ("`eps=1e-5` or 10⁻⁵ or $10^{-5}$", ["1e-5", "1e-5", "1e-5"]),
        (r"1.5 × 10⁻³, $2 \times 10^{-8}$, −1.5·10⁴", ["1.5e-3", "2e-8", "-1.5e4"]),
        ("57.6 % and 42.2% of $57.6\\%$", ["57.6e-2", "42.2e-2", "57.6e-2"]),
        ("**0.25** _0.75_ |0.1|", ["0.25", "0.75", "0.1"]),
        ("0.5em, 2.5x", ["0.5", "2.5"]),
        ("2017, 3 of 4, step 2. Then −1e9, 10⁹, 100 %, 3×3", []),
        ("section 3.5. Section 5.1; sections 3.1 and 4.1,\nsections 3.2–3.4, 5.1 to 5.3.", []),
        ("Section 3.5 says 0.25, sections 3.1 and 4.1 say −0.5", ["0.25", "-0.5"]),
        ("In section 3.5 and 0.25, a section of 0.75, intersection 0.1", ["0.25", "0.75", "0.1"]),
        ("section 3.2.1, torch 2.13.0, float32, Qwen2.5", []),
        ("[paper](https://example.org/1706.03762) https://example.org/v1.5", []),
        ('<span style="width: 0.5em">0.25</span> and 0.1 < 0.2', ["0.25", "0.1", "0.2"]),
    ],
)
def test_decimal_numbers_are_found_as_they_are_written(text, found):
    assert decimal_numbers(text) == found


@pytest.mark.parametrize(
    ("written", "known", "expected"),
    [
        ("0.84", "0.8446", True),
        ("0.8446", "0.8446", True),
        ("0.8450", "0.845", True),
        ("2.0", "2", True),
        ("0.85", "0.8446", False),
        ("0.8447", "0.8446", False),
        ("0.8446", "0.84", False),
        ("1.34", "-1.34", False),
        ("0.125", "0.12549", True),
        ("0.12", "0.125", True),
        ("0.13", "0.125", True),
        ("1e-5", "0.00001", True),
        ("1e-5", "0", False),
        ("1e-5", "0.00002", False),
    ],
)
def test_a_number_is_confirmed_by_one_that_rounds_to_it(written, known, expected):
    assert bears_out(written, [Decimal(known)]) is expected


@dataclass
class Entry:
    """What this test needs to know of a worked example."""

    inputs: dict = field(default_factory=lambda: {"eps": 1e-5, "x": [[0.25, float("nan")], [True]]})
    printed: object = "about 0.37"
    value: object = field(default_factory=lambda: {"mean": -2.236})
    note: str = "A sample variance gives 6.6667."


# Where a number can occur; {} is the number, 0.8446 is what the chapter prints.
PLACES = {
    "text": lambda number: f"The first is {number}.",
    "code span": lambda number: f"It prints `{number}`.",
    "formula": lambda number: f"$x = {number}$",
    "question": lambda number: code(f'question("Is it {number}?", right=("1", "a"), wrong=[])'),
    "choice": lambda number: code(f'figures.predict("Which?", "{number}", "none")'),
    "feedback": lambda number: code(f'question("a", right=("b", "It is {number}."), wrong=[])'),
    "caption": lambda number: code('compare("x", caption="Near ' + number + '")'),
    "alt text": lambda number: code("1", mystnb={"image": {"alt": f"A bar of {number}."}}),
    "figure": lambda number: code("1", mystnb={"figure": {"caption": f"Near {number}"}}),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_changed_digit_is_found_wherever_it_occurs(place):
    assert unfounded(chapter(PLACES[place]("0.8446")), {}, {}) == []
    for wrong in ("0.8447", "0.9446", "-0.8446"):
        (problem,) = unfounded(chapter(PLACES[place](wrong)), {}, {})
        assert wrong in problem


@pytest.mark.parametrize("number", ["1e-5", "0.25", "0.37", "−2.236", "6.67"])
def test_worked_examples_confirm_numbers_only_if_they_are_shown(number):
    examples = {"an-example": Entry()}
    text = f"It is {number}."
    assert unfounded(chapter(text, code('compare("an-example")')), examples, {}) == []
    assert len(unfounded(chapter(text, code('print("an-example")')), examples, {})) == 1
    assert len(unfounded(chapter(text, code('compare("another")')), examples, {})) == 1


def test_html_confirms_numbers_by_its_text_but_not_by_its_markup():
    html = '<td style="width: 0.77em">&minus;0.33</td>'
    cell = displayed("table", "text/html", html)
    assert unfounded(chapter(cell, "It is −0.33."), {}, {}) == []
    assert len(unfounded(chapter(cell, "It is 0.77."), {}, {})) == 1


def test_an_exception_covers_its_phrase_but_no_other():
    notebook = chapter("Python 3.11 and 3.11 apples")
    (problem,) = unfounded(notebook, {}, {"Python 3.11": "a version"})
    assert "3.11" in problem
    assert unfounded(notebook, {}, {"3.11": "all of them"}) == []
