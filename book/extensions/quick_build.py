"""Build on all cores, and look up the citation backends only once."""

from pathlib import Path

import torch
from joblib import cpu_count
from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx
from sphinx.config import Config

# These do not declare whether pages may be read in parallel. One adds numbers after all pages are
# read, the other is for LaTeX.
UNDECLARED = ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex")
HERE = Path(__file__).parent


def declare(app: Sphinx, *_: object) -> None:
    """Declare it for them and for all extensions of this folder, which store data per page."""
    for name, extension in app.extensions.items():
        is_ours = Path(str(extension.module.__file__)).parent == HERE
        if is_ours or name in UNDECLARED:
            extension.parallel_read_safe = True


def no_figure_numbers(app: Sphinx, config: Config) -> None:
    """Turn off `numfig`, which sphinx_jupyterbook_latex sets and which loads every page."""
    config["numfig"] = False


def setup(app: Sphinx) -> None:
    app.parallel = cpu_count()  # Jupyter Book's command has no option for it
    # Sphinx reads pages in several processes. More threads in each would only compete with them.
    torch.set_num_threads(1)
    app.connect("config-inited", no_figure_numbers, priority=900)
    app.connect("env-before-read-docs", declare)
    # Otherwise each citation searches all installed packages for the backends, which takes 30 ms.
    for backend in ("plaintext", "docutils"):
        found = find_plugin("pybtex.backends", backend)
        register_plugin("pybtex.backends", backend, found, force=True)
