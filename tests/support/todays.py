"""Samples that turn with the date, and the tests that run at night only.

`make test` takes a few of many like cases, other ones each day, so that all have had their turn
after some days; `make nightly` takes all. A failure is repeated with the day that its run names:
`TEST_DAY=2027-03-01 make test`.
"""

import datetime
import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
NIGHTLY = os.environ.get("NIGHTLY") == "1"


def day() -> datetime.date:
    """Return the day whose samples are taken: that of `TEST_DAY`, else today.

    Raises:
        ValueError: `TEST_DAY` is no date such as 2027-03-01.
    """
    told = os.environ.get("TEST_DAY")
    return datetime.date.fromisoformat(told) if told else datetime.date.today()


def todays(cases: Sequence[T], count: int) -> list[T]:
    """Return `count` neighbors among the cases, the next ones each day; at night all of them.

    Raises:
        ValueError: there are no cases, or count is less than 1.
    """
    if not cases or count < 1:
        raise ValueError(f"a sample needs cases and a count, got {len(cases)} and count={count}")
    if NIGHTLY or count >= len(cases):
        return list(cases)
    start = day().toordinal() * count
    return [cases[(start + place) % len(cases)] for place in range(count)]
