"""Fixtures for all tests: two precisions, and random numbers that repeat."""

import pytest
import shape_checks
import torch
from hypothesis import settings
from tools import skip_without_tools

# More threads add numbers in another order. That changes last digits, and training multiplies it.
torch.set_num_threads(1)
# Each folder may have its own: as a module to search for doctests, the second one would clash.
collect_ignore_glob = ["*conftest.py"]

# Derandomized: a failure seen once is seen by everybody. No deadline: no test measures time.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a missing tool, and keep the tests of a file in one process."""
    for item in items:
        skip_without_tools(item)
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))


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
