"""What `make test` selects, and what it skips where a tool is missing."""

import tools
from sampling import each_pair, each_value, first_of_each, sample

pytest_plugins = ["pytester"]


def always(parameters: list) -> list:
    """Return the values of the parameters that always run."""
    return [one.values[0] for one in parameters if not one.marks]


def test_sample_is_spread_evenly_and_keeps_every_case():
    assert always(sample("abcdefgh", 3)) == ["a", "c", "f"]
    assert [one.values for one in sample([(1, 2), 3], 9)] == [(1, 2), (3,)]
    assert always(sample("ab", 9)) == ["a", "b"]
    assert [mark.name for one in sample("abc", 1) for mark in one.marks] == ["nightly"] * 2


def test_first_of_each_kind_always_runs():
    found = first_of_each(["a1", "b1", "a2", "c1"], kind=lambda case: case[0])
    assert [one.values[0] for one in found] == ["a1", "b1", "a2", "c1"]
    assert always(found) == ["a1", "b1", "c1"]


def test_every_value_always_runs_and_no_combination_is_lost():
    found = each_value(iter("ab"), [1, 2, 3])
    assert [one.values for one in found] == [(a, n) for a in "ab" for n in (1, 2, 3)]
    assert [one.values for one in found if not one.marks] == [("a", 1), ("a", 3), ("b", 2)]


def test_every_pair_of_values_always_runs_and_no_combination_is_lost():
    found = each_pair(iter("abc"), [1, 2, 3], "xy")
    assert len({one.values for one in found}) == len(found) == 18
    chosen = [one.values for one in found if not one.marks]
    assert len(chosen) < 12
    for first, second, pairs in ((0, 1, 9), (0, 2, 6), (1, 2, 6)):
        assert len({(values[first], values[second]) for values in chosen}) == pairs


def test_a_missing_tool_skips_marks_and_fixtures_of_its_name_with_the_reason(pytester, monkeypatch):
    monkeypatch.setitem(tools.TOOLS, "java", lambda: "no java here")
    monkeypatch.setitem(tools.TOOLS, "ffmpeg", lambda: "")
    tools.skip_reason.cache_clear()
    pytester.makeconftest("from tools import skip_without_tools as pytest_itemcollected")
    pytester.makepyfile("""
        import pytest

        @pytest.fixture
        def java(): raise SystemExit

        @pytest.fixture
        def book(java): raise SystemExit

        @pytest.mark.java
        def test_mark(): raise SystemExit

        def test_fixture(book): raise SystemExit

        @pytest.mark.ffmpeg
        def test_other(): pass
    """)
    said = pytester.runpytest("-rs", "-p", "no:cacheprovider")
    tools.skip_reason.cache_clear()
    said.assert_outcomes(passed=1, skipped=2)
    said.stdout.fnmatch_lines(["SKIPPED * no java here"])
