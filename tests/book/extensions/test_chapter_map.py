"""The map of the chapters omits implied arrows and refuses cycles."""

import re
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from chapter_map import arrow, box, direct_needs


@pytest.mark.parametrize(
    ("needs", "arrows"),
    [
        ({"a": set()}, []),
        ({"a": set(), "b": {"a"}, "c": {"a", "b"}}, [("a", "b"), ("b", "c")]),
        ({"c": {"b", "a"}, "b": {"a"}, "a": set()}, [("b", "c"), ("a", "b")]),
        (
            {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"b", "c", "a"}},
            [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")],
        ),
        (
            {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a", "c"}},
            [("a", "b"), ("b", "c"), ("c", "d")],
        ),
    ],
)
def test_implied_arrows_are_left_out(needs, arrows):
    assert direct_needs(needs) == arrows


@pytest.mark.parametrize(
    ("needs", "circles"),
    [
        ({"a": {"a"}}, ["a needs a"]),
        ({"a": {"b"}, "b": {"a"}, "c": set()}, ["a needs b needs a", "b needs a needs b"]),
        (
            {"z": set(), "a": {"c", "z"}, "b": {"a"}, "c": {"b"}},
            ["a needs c needs b needs a", "b needs a needs c needs b", "c needs b needs a needs c"],
        ),
    ],
)
def test_chapters_that_form_a_cycle_are_named(needs, circles):
    """The error may list a cycle from any of its chapters on."""
    with pytest.raises(ValueError, match="must not need each other, got ") as caught:
        direct_needs(needs)
    assert str(caught.value).partition("got ")[2] in circles


def test_titles_are_escaped():
    chapter = SimpleNamespace(number="07", short_title="Q & A <b>")
    drawn = box(chapter, 'page.html?a=1&b="2"', 0, 0)
    link = ElementTree.fromstring(drawn)
    assert "Q &amp; A &lt;b&gt;" in drawn
    assert "".join(link.itertext()) == "07 Q & A <b>"
    assert link.get("href") == 'page.html?a=1&b="2"'


@pytest.mark.parametrize(
    ("end", "ends_with"),
    [((2, 1), "H234"), ((4, 1), " 515 94"), ((0, 2), " 51 190"), ((3, 4), " 405 382")],
)
def test_an_arrow_ends_at_its_box(end, ends_with):
    """From the box of column 1 in row 1: to the next box, over others, down, and past two rows."""
    assert re.search('d="(.*?)"', arrow((1, 1), end))[1].endswith(ends_with)
