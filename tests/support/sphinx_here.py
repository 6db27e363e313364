"""Small books, built by Sphinx in this process: to load it anew takes longer than a build."""

import contextlib
import gc
import io
import logging
import warnings
from pathlib import Path

from sphinx.cmd.build import main


def build(book: Path, *options: str) -> str:
    """Build a book as web pages, into its folder `_build/html`.

    Args:
        book: a folder that holds `conf.py`.
        options: of `sphinx-build`. With `-W` a warning ends the build.

    Returns:
        what Sphinx says in its own words; nothing where all is well.
    """
    trees, pages = str(book / "_build/trees"), str(book / "_build/html")
    said = io.StringIO()
    gc.collect()  # sphinx-external-toc asks every object of the process what it is, dead ones too
    # Tests turn warnings into errors, and those of Sphinx' extensions are not ours.
    with warnings.catch_warnings(action="ignore"), contextlib.redirect_stderr(said):
        main([*options, "-q", "-b", "html", "-d", trees, str(book), pages])
    # Sphinx keeps its messages from other listeners, pytest's among them.
    logger = logging.getLogger("sphinx")
    logger.propagate = True
    logger.handlers.clear()
    return said.getvalue()
