"""The teaching guide's directives in a small book built by Sphinx, and their errors."""

import re
from pathlib import Path

import pytest
from chapter_facts import read_chapter
from sphinx_app import build, notebook, texts, write
from sphinx_app import pages as built_pages
from teaching_guide import choices_of, find_asked

ROOT = Path(__file__).parents[3]
CELLS = {
    "05-title": "# Attention: softly\n\nText.",
    "05-guess": 'predict("Is 1 < 2, or is it <b>not</b>?", "Yes", "No, *never*")',
    "05-x": "x = 1",
    "05-because": "Because.",
    "05-Drill": 'drill("scores")',
    "05-figure": "figure = SoftRetrieval()",
    "05-quiz": 'question("How many?", wrong=[("Two", "No.", 1 > 2)], right=("One", "Yes.", 1))',
    "05-last": 'question("Is it?", right=("It is", "Yes.", 1), wrong=[("It is not", "No.", 0)])',
    "05-magic": "%matplotlib inline",
    "05-head-1": "## Exercises\n\n### Exercise 1: write\n\nDo it.",
    "05-ex_1": "exercises.attention.soft_lookup.check(f)",
    "05-head-2": "### Exercise 2: find the bug",
    "05-ex_2": "exercises.attention.attend.check(f)",
}
GUIDE = """# Guide

```{lesson-facts} 05_attention
```

```{ask} 05-guess
They say *never*. Ask for the number line.
```

```{ask} 05-quiz
They count twice.
```

```{exit} 05-last 05-quiz
They guess. Let them *count* next time.
```

```{homework} 05_attention
attend: 20
soft_lookup: 15
```
"""
WRONG = {
    ("lesson-facts", "05_nothing", ""): "name must be that of a chapter, as in 05_attention, got",
    ("homework", "05_nothing", "attend: 20"): "name must be that of a chapter, as in 05_attention",
    ("homework", "05_attention", "attend: 20"): "homework must name ['attend', 'soft_lookup'],",
    ("homework", "05_attention", ""): "homework must name ['attend', 'soft_lookup'], each once",
    (
        "ask",
        "05-nothing",
        "Text.",
    ): "ask must name a cell by its id, as in 05-006, got",
    ("ask", "05-x", "Text."): "ask must name a cell with a question or a prediction, got '05-x'",
    ("ask", "05-title", "Text."): "ask must name a cell with a question or a prediction, got",
    ("ask", "05-guess", ""): 'Content block expected for the "ask" directive; none found.',
    ("exit", "05-quiz 05-nothing", "Text."): "exit must name a cell by its id, as in 05-006, got",
    ("exit", "05-x 05-quiz", "Text."): "exit must name a cell with a question, got '05-x'",
    ("exit", "05-quiz 05-guess", "Text."): "exit must name a cell with a question, got '05-guess'",
    ("exit", "05-quiz", "Text."): "2 argument(s) required, 1 supplied",
    ("exit", "05-quiz 05-last", ""): 'Content block expected for the "exit" directive; none found.',
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Provide the folder of a book of one chapter and a guide, not yet built."""
    files = {
        "notebooks/05_attention.ipynb": notebook(CELLS),
        "index.md": "# Book\n\n```{toctree}\nnotebooks/05_attention\nguide\n```\n",
    }
    extensions = ["practice", "cell_links", "teaching_guide"]
    return write(tmp_path_factory.mktemp("book"), extensions, files)


@pytest.fixture(scope="module")
def pages(book):
    """Provide the HTML of the built pages."""
    (book / "guide.md").write_text(GUIDE, encoding="utf-8")
    assert build(book, "-W", "-n") == ""
    return built_pages(book)


def test_the_guide_shows_the_facts_of_the_notebook(pages):
    assert texts(pages["guide"], r"<d[td][^>]*>(.*?)</d[td]>") == [
        *("Chapter:", "05 Attention: softly: 40 minutes to read · ●●○ steady"),
        *("Needs:", "sums"),
        *(
            "Live figure:",
            "One query against some keys in the plane: scores, weights and the mixture "
            "of the values",
        ),
        *("Drills:", "The scores of one query"),
        *("Exercises:", "soft_lookup, attend (bug hunt)"),
    ]


def test_a_question_is_shown_with_its_choices_and_the_teachers_part(pages):
    first, second = texts(pages["guide"], r'<div class="teaching-ask[^"]*">(.*?)</div>')
    assert first == (
        "Prediction: Is 1 &lt; 2, or is it &lt;b&gt;not&lt;/b&gt;? Yes No, *never* "
        "They say never. Ask for the number line."
    )
    assert second == "Quiz: How many? One (right) Two They count twice."


def test_two_questions_are_shown_at_the_end_of_a_lesson_with_the_teachers_part(pages):
    [found] = texts(pages["guide"], r'<div class="teaching-exit[^"]*">(.*?)</div>')
    assert found == (
        "Quiz: Is it? It is (right) · It is not Quiz: How many? One (right) · Two "
        "They guess. Let them count next time."
    )


def test_homework_lists_the_exercises_in_the_order_of_the_chapter(pages):
    cells = texts(pages["guide"], r"<td>(.*?)</td>")
    assert cells == [
        "soft_lookup",
        "Mix values (S, V) by how well query (K,) fits keys (S, K): (V,).",
        "15",
        "attend (bug hunt)",
        "Self-attention with three projections: x (T, D) -&gt; (T, V).",
        "20",
    ]


def test_every_link_leads_to_a_part_of_the_chapter(pages):
    """Links of exercises lead to their headings, all others to their cells."""
    found = re.findall(r'href="notebooks/05_attention.html#([^"]+)"', pages["guide"])
    assert list(dict.fromkeys(found)) == [
        *("cell-05-figure", "practice-05-Drill", "cell-05-ex_1", "cell-05-ex_2"),
        *("practice-05-guess", "practice-05-quiz", "practice-05-last"),
    ]
    chapter = pages["05_attention"]
    for name in found:
        assert chapter.count(f'id="{name}"') == 1
    headings = texts(chapter, r'id="cell-05-ex_\d"></span>(?:<span[^>]*></span>)*(<h3>.*?)<a')
    assert headings == ["Exercise 1: write", "Exercise 2: find the bug"]


@pytest.fixture(scope="module")
def refusals(book, pages):
    """Return the messages of Sphinx for a guide in which every directive is wrong."""
    parts = [f"```{{{name}}} {argument}\n{body}\n```" for name, argument, body in WRONG]
    (book / "guide.md").write_text("# Guide\n\n" + "\n\n".join(parts), encoding="utf-8")
    return build(book, "-n")


@pytest.mark.parametrize("message", WRONG.values())
def test_errors_in_a_guide_are_reported(refusals, message):
    assert message in refusals
    assert refusals.count("ERROR") == len(WRONG)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_every_question_of_the_book_can_be_asked(path):
    """No prompt and no choice is made by code, which the guide could not read."""
    chapter = read_chapter(path)
    asked = 0
    for cell in chapter.cells:
        try:
            _, _, call = find_asked(cell["id"], [chapter])
        except ValueError:
            continue
        prompt, choices = choices_of(call)
        assert prompt and len(choices) > 1 and all(isinstance(choice, str) for choice in choices)
        asked += 1
    assert asked >= 8
