"""A pytest plugin for `make check`: after CHECK_UNTIL no test begins; those left out are named."""

import os
import time
from collections import Counter

import pytest

REASON = "no time was left"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave a test out if the time is over."""
    if time.time() > float(os.environ["CHECK_UNTIL"]):
        pytest.skip(REASON)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests of which files were left out."""
    skipped = terminalreporter.getreports("skipped")
    late = Counter(
        report.nodeid.partition("::")[0] for report in skipped if REASON in str(report.longrepr)
    )
    if late:
        told = ", ".join(f"{path} ({count} tests)" for path, count in sorted(late.items()))
        terminalreporter.write_line(f"The minute was over before: {told}")
