"""Every chapter obeys every rule."""

import re

import pytest
from chapters import CHAPTERS, code_cells, read, source, tags
from rules import RULES
from shape_rules import SHAPE_RULES

from lessons.kit import exercises

each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@each_chapter
def test_a_chapter_obeys_every_rule(path):
    found = {rule.__name__: rule(read(path)) for rule in (*RULES, *SHAPE_RULES)}
    assert {name: problems for name, problems in found.items() if problems} == {}


@each_chapter
def test_a_chapter_has_a_number_and_a_name(path):
    assert re.fullmatch(r"\d\d_[a-z0-9]+(_[a-z0-9]+)*", path.stem)


def test_every_exercise_cell_has_a_starter_and_every_starter_a_cell():
    """Every exercise cell begins with a starter, and every starter has its cell."""
    starters = [exercise.starter.strip() for exercise in exercises.all_exercises()]
    sources = [
        source(cell)
        for path in CHAPTERS
        for _, cell in code_cells(read(path))
        if "exercise" in tags(cell)
    ]
    missing = [starter for starter in starters if not any(s.startswith(starter) for s in sources)]
    assert starters and missing == []
    assert len(sources) == len(starters)


def test_no_two_chapters_share_the_id_of_a_cell():
    """A reader's progress and a link find a cell by its id; the book's labels are made of it."""
    homes: dict[str, list[str]] = {}
    for path in CHAPTERS:
        for cell in read(path).cells:
            homes.setdefault(cell.id, []).append(path.stem)
    assert {cell: names for cell, names in homes.items() if len(names) > 1} == {}
