"""The build wrote every page, from chapters that had run already."""

from pathlib import Path

import yaml
from conftest import BOOK, ROOT
from jupyter_cache import get_cache


def test_every_page_of_the_contents_is_built():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    names = [toc["root"], *(entry["file"] for part in toc["parts"] for entry in part["chapters"])]
    assert [name for name in names if not (BOOK / f"{name}.html").exists()] == []


def test_no_chapter_ran_twice():
    """A chapter that the build runs again is not compared with its stored outputs."""
    cache = get_cache(BOOK.parent / ".jupyter_cache")
    ran = [Path(record.uri) for record in cache.list_project_records()]
    assert [path.name for path in ran if path.suffix == ".ipynb"] == []
