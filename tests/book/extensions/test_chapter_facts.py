"""A chapter's facts are in its notebook's metadata, and nowhere else."""

import json
from pathlib import Path

import pytest
from chapter_facts import Facts, read_chapter

ROOT = Path(__file__).parents[3]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))

GOOD = {
    "minutes": 45,
    "needs": ["05_attention"],
    "background": ["the product of two matrices"],
    "promise": "what a root saves",
    "difficulty": 2,
    "lit": ["scores", "mask"],
    "uncomputed": {"5.3": "made up"},
}


@pytest.fixture
def notebook(tmp_path):
    """Provide a function that writes a chapter with these facts next to another chapter."""
    (tmp_path / "05_attention.ipynb").write_text("{}", encoding="utf-8")

    def write(facts=None, **changes):
        metadata = {} if facts is None else {"chapter": facts | changes}
        cells = [{"cell_type": "markdown", "source": ["# A title, told: at length\n", "\n", "x"]}]
        path = tmp_path / "07_scaling.ipynb"
        path.write_text(json.dumps({"metadata": metadata, "cells": cells}), encoding="utf-8")
        return path

    return write


def test_facts_are_read(notebook):
    facts = read_chapter(notebook(GOOD)).facts
    assert facts == Facts(
        minutes=45,
        needs=("05_attention",),
        background=("the product of two matrices",),
        promise="what a root saves",
        difficulty=2,
        lit=("scores", "mask"),
        uncomputed={"5.3": "made up"},
    )


@pytest.mark.parametrize("key", ["minutes", "promise", "difficulty"])
def test_a_missing_fact_is_named(notebook, key):
    facts = {name: value for name, value in GOOD.items() if name != key}
    named = rf"07_scaling\.ipynb: metadata chapter: '{key}' is a required property"
    with pytest.raises(ValueError, match=named):
        read_chapter(notebook(facts))


def test_missing_facts_are_named(notebook):
    with pytest.raises(ValueError, match=r"07_scaling\.ipynb: metadata chapter: None is not of"):
        read_chapter(notebook())


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("time", 45, r"chapter: .*'time' was unexpected"),
        ("minutes", 0, r"chapter\.minutes: 0 is less than the minimum of 1"),
        ("minutes", True, r"chapter\.minutes: True is not of type 'integer'"),
        ("difficulty", 4, r"chapter\.difficulty: 4 is not one of \[1, 2, 3\]"),
        ("promise", " ", r"chapter\.promise: ' ' does not match"),
        ("needs", ["05_look_up"], r"chapter\.needs\[0\]: '05_look_up' is not one of"),
        ("needs", "05_attention", r"chapter\.needs: '05_attention' is not of type 'array'"),
        ("background", [5], r"chapter\.background\[0\]: 5 is not of type 'string'"),
        ("lit", ["wheel"], r"chapter\.lit\[0\]: 'wheel' is not one of .*'mask'"),
        ("lit", "scores", r"chapter\.lit: 'scores' is not of type 'array'"),
        ("uncomputed", ["5.3"], r"chapter\.uncomputed: \['5\.3'\] is not of type 'object'"),
        ("uncomputed", {"5.3": ""}, r"chapter\.uncomputed\['5\.3'\]: '' does not match"),
    ],
)
def test_a_wrong_fact_is_named(notebook, key, value, message):
    with pytest.raises(ValueError, match=rf"^07_scaling\.ipynb: metadata {message}"):
        read_chapter(notebook(GOOD, **{key: value}))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_chapter_has_facts_that_its_prose_does_not_repeat(path):
    chapter = read_chapter(path)
    assert all(name < chapter.name for name in chapter.facts.needs), "what is needed comes before"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    assert [phrase for phrase in ("You need first", "**Time:**") if phrase in text] == []
