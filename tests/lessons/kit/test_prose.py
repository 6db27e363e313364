"""The prose of a book: what counts as a sentence and what is left out."""

import json

from lessons.kit.prose import book_prose, sentences


def read(markdown):
    return [" ".join(words) for words in sentences(markdown)]


def test_markdown_marks_are_not_words():
    text = "A *small* cat and **two** dogs met [here](page.md#x), it is said {cite}`notes`."
    assert read(text) == ["a small cat and two dogs met here , it is said ."]
    cited = "([A, 2017](../book/references.bib#a); [B](../book/references.bib#b_c))"
    assert read(text.replace("{cite}`notes`", cited)) == read(text)


def test_headings_code_tables_and_formulas_are_left_out():
    text = (
        "# A heading that is long\n\nOne sentence that stays here.\n\n```python\nx = 1 + 2 + 3\n```"
        "\n\n$$ x = y + z $$\n\n| a | table of cells |\n|---|---|\n\nAnother one that stays."
    )
    assert read(text) == ["one sentence that stays here .", "another one that stays ."]


def test_only_sentences_with_a_formula_or_code_are_left_out():
    text = (
        "The first one stays here. The second holds $x$. So does `this` third one. Last one stays."
    )
    assert read(text) == ["the first one stays here .", "last one stays ."]


def test_pages_come_before_chapters_and_each_sentence_once(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book" / "b.md").write_text("The page says this. Both of them say it.")
    cells = [
        {"cell_type": "code", "source": ["print('this is no prose')"]},
        {"cell_type": "markdown", "source": ["Both of them say it. ", "The chapter says that."]},
    ]
    (tmp_path / "notebooks" / "01_a.ipynb").write_text(json.dumps({"cells": cells}))
    assert [" ".join(s) for s in book_prose(tmp_path)] == [
        "the page says this .",
        "both of them say it .",
        "the chapter says that .",
    ]
