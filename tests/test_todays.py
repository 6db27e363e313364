"""Samples that turn with the date: each case has its turn, and a named day repeats its sample."""

import datetime
from pathlib import Path

import pytest
import todays

CASES = list("abcdefg")


def on(monkeypatch, day: int) -> list[str]:
    monkeypatch.setenv("TEST_DAY", str(datetime.date(2027, 3, 1) + datetime.timedelta(day)))
    return todays.todays(CASES, 3)


def test_each_case_has_its_turn_and_a_day_repeats_its_own(monkeypatch):
    monkeypatch.setattr(todays, "NIGHTLY", False)
    days = [on(monkeypatch, day) for day in range(3)]
    assert set(CASES) == {case for sample in days for case in sample}
    assert all(len(sample) == len(set(sample)) == 3 for sample in days)
    assert on(monkeypatch, 1) == days[1]


def test_at_night_all_cases_are_taken(monkeypatch):
    monkeypatch.setattr(todays, "NIGHTLY", True)
    assert on(monkeypatch, 0) == CASES


def test_a_day_that_is_none_and_a_sample_of_nothing_are_refused(monkeypatch):
    monkeypatch.setenv("TEST_DAY", "tomorrow")
    with pytest.raises(ValueError, match="tomorrow"):
        todays.day()
    with pytest.raises(ValueError, match="got 0 and count=3"):
        todays.todays([], 3)
    with pytest.raises(ValueError, match="count=0"):
        todays.todays(CASES, 0)


RIGHT = [f"tests/exercises/test_routes.py::test_right[masks.case_{i}-1]" for i in range(60)]


def turn(monkeypatch, day: int, changed: set[str]) -> set[str]:
    monkeypatch.setattr(todays, "NIGHTLY", False)
    monkeypatch.setattr(todays, "changed", lambda: frozenset(changed))
    monkeypatch.setenv("TEST_DAY", str(datetime.date(2027, 3, 1) + datetime.timedelta(day)))
    return {case for case in RIGHT if todays.has_its_turn(case, 5)}


def test_in_so_many_days_each_case_has_one_turn(monkeypatch):
    days = [turn(monkeypatch, day, set()) for day in range(5)]
    assert sorted(case for day in days for case in day) == sorted(RIGHT)
    assert all(day for day in days)


def test_the_cases_of_a_changed_file_are_taken_each_day(monkeypatch):
    name = "transformer_lite/exercises/masks/case_7.py"
    for day in range(5):
        changed = turn(monkeypatch, day, {name, "README.md"}) - turn(monkeypatch, day, set())
        assert changed <= {RIGHT[7]}
        assert RIGHT[7] in turn(monkeypatch, day, {name})
    for name in ("tests/exercises/test_routes.py", "tests/support/routes.py"):
        assert turn(monkeypatch, 0, {name}) == {*RIGHT}


def test_a_page_has_its_turn_when_what_it_is_made_of_changed(monkeypatch):
    monkeypatch.setattr(todays, "changed", lambda: frozenset({"book/references.bib"}))
    assert {"references", "bibliography"} == todays.changed_names()
    monkeypatch.setattr(todays, "changed", lambda: frozenset())
    assert not todays.changed_names()


def test_without_an_earlier_commit_nothing_counts_as_changed(monkeypatch):
    monkeypatch.setenv("BASE", "no-such-commit")
    assert todays.changed.__wrapped__() == frozenset()


BEAM = "tests/decoding/test_beam.py"
REVIEW = "tests/book/test_review.py"


def week(monkeypatch, file: str, changed: set[str]) -> int:
    """Return on how many days of a week a file of tests is taken."""
    monkeypatch.setattr(todays, "NIGHTLY", False)
    monkeypatch.setattr(todays, "WHOLE", True)
    monkeypatch.setattr(todays, "changed", lambda: frozenset(changed))
    days = [datetime.date(2027, 3, 1) + datetime.timedelta(day) for day in range(7)]
    taken = 0
    for day in days:
        monkeypatch.setenv("TEST_DAY", str(day))
        taken += todays.has_its_day(file)
    return taken


def test_a_dear_file_has_one_day_of_the_week(monkeypatch):
    assert week(monkeypatch, BEAM, set()) == week(monkeypatch, REVIEW, set()) == 1
    assert week(monkeypatch, "tests/layers/test_masks.py", set()) == 7
    assert week(monkeypatch, BEAM, {"book/preface.md"}) == 1
    monkeypatch.setattr(todays, "WHOLE", False)
    assert todays.has_its_day(BEAM) and todays.has_its_day(REVIEW)


def test_what_a_change_reaches_is_taken_each_day(monkeypatch):
    assert week(monkeypatch, BEAM, {"transformer_lite/layers/multi_head.py"}) == 7
    assert week(monkeypatch, BEAM, {BEAM}) == 7
    assert week(monkeypatch, REVIEW, {"transformer_lite/layers/multi_head.py"}) == 1
    assert week(monkeypatch, REVIEW, {"book/_static/book.css"}) == 7


@pytest.mark.parametrize("name", [*todays.DEAR, *todays.BEHIND_PAGES, *todays.MADE_OF.values()])
def test_what_is_listed_exists(name):
    root = Path(todays.__file__).parents[2]
    assert [*root.glob(f"{name}*")]
