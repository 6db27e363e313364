"""The build wrote every page, from chapters that had run already."""

from pathlib import Path

from conftest import BOOK, ROOT
from jupyter_cache import get_cache
from pages import order


def test_every_page_of_the_contents_is_built():
    assert [name for _, name in order(ROOT) if not (BOOK / f"{name}.html").exists()] == []


def test_no_chapter_ran_twice():
    """A chapter that the build runs again is not compared with its stored outputs."""
    cache = get_cache(BOOK.parent / ".jupyter_cache")
    ran = [Path(record.uri) for record in cache.list_project_records()]
    assert [path.name for path in ran if path.suffix == ".ipynb"] == []
