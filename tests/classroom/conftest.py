"""Releases that several tests read: the whole book, and one chapter."""

import pytest

from classroom.__main__ import main

SEED = "a class of tests"


@pytest.fixture(scope="session")
def whole_release(tmp_path_factory):
    """The folder of a release of the whole book."""
    out = tmp_path_factory.mktemp("whole") / "out"
    assert main(["release", "--out", str(out), "--seed", SEED, "--date", "2027-03-31"]) == 0
    return out


@pytest.fixture(scope="session")
def chapter_release(tmp_path_factory):
    """The folder of a release of chapter 06, for nbgrader."""
    out = tmp_path_factory.mktemp("chapter") / "out"
    options = ["--chapters", "06", "--seed", SEED, "--title", "The cat, at home", "--nbgrader"]
    assert main(["release", "--out", str(out), *options]) == 0
    return out
