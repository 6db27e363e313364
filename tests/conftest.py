"""What the tests of the package share: two precisions and random numbers that repeat."""

import os

import pytest
import shape_checks
import todays
import torch
from hypothesis import settings

# Each folder may have its own: as a module to search for doctests, the second one would clash.
collect_ignore_glob = ["*conftest.py"]

# Derandomized: a failure seen once is seen by everybody. No deadline: no test measures time.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


def pytest_configure() -> None:
    """Name the day before workers start, so that all take the same samples, past midnight too."""
    os.environ.setdefault("TEST_DAY", todays.day().isoformat())


def pytest_report_header() -> str:
    return "samples: all" if todays.NIGHTLY else f"samples of TEST_DAY={os.environ['TEST_DAY']}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked for the night or has its turn on another day.

    A file's tests stay in one process.
    """
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
    if late := [item for item in items if waits(item)]:
        config.hook.pytest_deselected(items=late)
        left_out = set(late)
        items[:] = [item for item in items if item not in left_out]


def waits(item: pytest.Item) -> bool:
    """Whether a test is left out today."""
    if item.get_closest_marker("nightly"):
        return not todays.NIGHTLY
    if turns := item.get_closest_marker("turns"):
        return not todays.has_its_turn(item.nodeid, *turns.args)
    return not todays.has_its_day(item.nodeid.partition("::")[0])


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(6)


@pytest.fixture
def traced():
    """No checks of shapes: PyTorch cannot trace a model through them, to compile or export it."""
    with shape_checks.off():
        yield


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request) -> torch.dtype:
    return request.param


@pytest.fixture
def normal(dtype):
    """A function that draws standard-normal tensors of the test's dtype."""
    generator = torch.Generator().manual_seed(6)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=dtype)
