"""Every chapter obeys every rule."""

import re

import pytest
from chapters import CHAPTERS, read
from rules import RULES

each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


@each_chapter
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_chapter_obeys(rule, path):
    assert rule(read(path)) == []


@each_chapter
def test_a_chapter_has_a_number_and_a_name(path):
    assert re.fullmatch(r"\d\d_[a-z0-9]+(_[a-z0-9]+)*", path.stem)
