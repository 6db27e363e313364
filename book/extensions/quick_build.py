"""Build on all cores, and look up once what writes citations."""

from pathlib import Path

import torch
from joblib import cpu_count
from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx
from sphinx.config import Config

# They do not say whether pages may be read apart. One numbers when all are read, one serves LaTeX.
UNDECLARED = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")
HERE = Path(__file__).parent


def declare(app: Sphinx, *_: object) -> None:
    """Say it for them, and for all extensions of this folder: what they note, a page holds."""
    for name, extension in app.extensions.items():
        is_ours = Path(str(extension.module.__file__)).parent == HERE
        if is_ours or name in UNDECLARED:
            extension.parallel_read_safe = True


def no_figure_numbers(app: Sphinx, config: Config) -> None:
    """Turn `numfig` off again: sphinx_jupyterbook_latex sets it, and Sphinx loads every page."""
    config["numfig"] = False


def setup(app: Sphinx) -> None:
    app.parallel = cpu_count()  # Jupyter Book's own command cannot ask for it
    # Sphinx reads pages in several processes. More threads in each would only compete with them.
    torch.set_num_threads(1)
    app.connect("config-inited", no_figure_numbers, priority=900)
    app.connect("env-before-read-docs", declare)
    # Otherwise each citation searches all installed packages for them, 30 ms a time.
    for backend in ("plaintext", "docutils"):
        found = find_plugin("pybtex.backends", backend)
        register_plugin("pybtex.backends", backend, found, force=True)
