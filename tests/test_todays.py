"""Samples that turn with the date: each case has its turn, and a named day repeats its sample."""

import datetime

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
