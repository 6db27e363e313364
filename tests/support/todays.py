"""Samples that turn with the date, and the tests that run at night only.

`make test` takes a few of many like cases, other ones each day, so that all have had their turn
after some days; `make nightly` takes all. A failure is repeated with the day that its run names:
`TEST_DAY=2027-03-01 make test`.

Files of tests that take many seconds have their day of the week there; those of their cases that
are marked to turn keep their own days.

What changed has no day to wait for: the cases of a changed file are always taken, and the dear
files that it reaches. Changed is what differs from the commit BASE, else from the one before the
last.
"""

import datetime
import os
import re
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import PurePosixPath
from subprocess import CalledProcessError
from typing import TypeVar

from changes import changed_files
from reach import project

T = TypeVar("T")
NIGHTLY = os.environ.get("NIGHTLY") == "1"
WHOLE = os.environ.get("WHOLE_SUITE") == "1"  # as in `make test`; whoever names files gets them
# What takes more than eight seconds, and is not about chapters or exercises.
DEAR = (
    *("tests/before/test_nations.py", "tests/classroom/", "tests/decoding/test_beam.py"),
    *("tests/decoding/test_decoding.py", "tests/experiments/test_by_length.py", "tests/fast/"),
    *("tests/figures/recurrent_translator/", "tests/figures/training_film/"),
    *("tests/models/test_transformer_tools.py", "tests/models/test_saving.py"),
    *("tests/notebooks/test_nbval_is_strict.py", "tests/notebooks/test_store.py", "tests/press/"),
    *("tests/test_progress_bar.py", "tests/test_run_chapters.py", "tests/test_steps.py"),
    *("tests/test_transforms.py", "tests/text/test_batches.py", "tests/text/test_grammar.py"),
    *("tests/training/distributed/", "tests/training/test_checkpoint.py"),
    *("tests/training/test_command.py", "tests/translator/test_quality.py"),
    *("tests/book/test_drills_live.py", "tests/book/test_named_search.py"),
    *("tests/book/test_offline_copy.py", "tests/book/test_practice.py"),
    *("tests/book/test_projector.py", "tests/book/test_projector_tours.py"),
    *("tests/book/test_reading_aids.py", "tests/book/test_review.py"),
    *("tests/book/test_translator_live.py", "tests/book/test_versions_live.py"),
)
# Every page rests on these.
BEHIND_PAGES = (
    *("book/_ext/", "book/_static/", "book/_templates/", "book/projector/", "tests/book/conftest"),
    *("transformer_lite/figures/_", "transformer_lite/figures/kit/"),
)

# Pages that are made of other files than their own.
MADE_OF = {
    "bibliography": "book/references.bib",
    "worked_examples": "transformer_lite/worked_examples/data/",
    "errata": "transformer_lite/worked_examples/data/",
}


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


@cache
def changed() -> frozenset[str]:
    """Return the files that changed; none, where no earlier commit is at hand."""
    try:
        return frozenset(changed_files(os.environ.get("BASE") or "HEAD~1"))
    except (CalledProcessError, OSError):
        return frozenset()


def has_its_turn(case: str, every: int) -> bool:
    """Whether a test's case is taken today: one of so many each day, and what changed always.

    A case is that of a changed file if it stands there or if its name has the file's: masks.py has
    that of `test_masks_live.py` and of `test_right[masks.reach]`.
    """
    if NIGHTLY or (zlib.crc32(case.encode()) + day().toordinal()) % every == 0:
        return True
    file, _, rest = case.partition("::")
    words, place = re.findall(r"\w+", rest), f"_{PurePosixPath(file).stem}_"
    return file in changed() or any(
        name in words or f"_{name}_" in place for name in changed_names()
    )


def has_its_day(file: str) -> bool:
    """Whether a file of tests is taken today: a dear one each seventh day, and if a change
    reaches it.
    """
    dear = WHOLE and file.startswith(DEAR)
    return not dear or has_its_turn(file, 7) or is_reached(file)


def is_reached(file: str) -> bool:
    """Whether a file of tests uses what changed; in the browser, whether all pages rest on it."""
    if file.startswith("tests/book/"):
        return any(name.startswith(BEHIND_PAGES) for name in changed())
    return file in _reached(changed())


@cache
def _reached(files: frozenset[str]) -> frozenset[str]:
    """Return the files of tests that use changed files, near and far."""
    return frozenset(project().tests(sorted(files))) if files else frozenset()


def changed_names() -> frozenset[str]:
    """Return what the changed files are called, without folders and endings, and their pages."""
    return _names(changed())


@cache
def _names(files: frozenset[str]) -> frozenset[str]:
    """Found once for a set of files: thousands of cases ask."""
    pages = {page for page, source in MADE_OF.items() if any(f.startswith(source) for f in files)}
    return frozenset(PurePosixPath(file).stem for file in files) | pages
