"""Locate the book that a release is made from."""

import functools
import json
from pathlib import Path
from typing import Any

import lessons
import transformer_lite

#: The folders of the packages that students get, by name.
PACKAGES = {found.__name__: Path(found.__path__[0]) for found in (transformer_lite, lessons)}
ROOT = PACKAGES["transformer_lite"].parent
NOTEBOOKS = ROOT / "notebooks"
PROJECT = ROOT / "pyproject.toml"


def minilm() -> str:
    """Return the pinned requirement for the weights that some chapters load."""
    lines = (ROOT / "requirements-minilm.txt").read_text(encoding="utf-8").splitlines()
    return next(line.rstrip(" \\") for line in lines if line and not line.startswith("#"))


@functools.cache
def book() -> dict[str, dict[str, Any]]:
    """Read the chapters, by names such as "05_attention".

    Raises:
        ValueError: this is only the package, without the book.
    """
    paths = sorted(NOTEBOOKS.glob("*.ipynb"))
    if not paths:
        raise ValueError("a release is made in a copy of the book, and no chapters are here")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
