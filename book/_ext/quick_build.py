"""Build on all cores, and look up once what writes citations."""

import os

from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx

# They do not say whether pages may be read apart. One numbers when all are read, one serves LaTeX.
UNDECLARED = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")


def declare(app: Sphinx, *_: object) -> None:
    """Say it for them."""
    for name in UNDECLARED:
        if found := app.extensions.get(name):
            found.parallel_read_safe = True


def setup(app: Sphinx) -> dict:
    app.parallel = len(os.sched_getaffinity(0))  # Jupyter Book's own command cannot ask for it
    app.connect("env-before-read-docs", declare)
    # Otherwise each citation searches all installed packages for them, 30 ms a time.
    for backend in ("plaintext", "docutils"):
        found = find_plugin("pybtex.backends", backend)
        register_plugin("pybtex.backends", backend, found, force=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
