"""A small book with the test figure on it, built by Sphinx with the book's own extension.

Usage: python book.py FOLDER

It is built into FOLDER/first, and again without the figure's asset into FOLDER/missing, which must
fail. What each build said is in FOLDER/NAME.txt.
"""

import contextlib
import io
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[5]
ROWS = (3, 5)  # what the two figures on the page show
INDEX = "# Book\n\n```{toctree}\nfar\n```\n"
TEXT = "# Far down\n" + "\nA line of text.\n" * 150


def build(folder: Path, name: str) -> None:
    """Build the book into a folder of this name; each warning is an error."""
    from sphinx.cmd.build import main

    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main(
            ["-W", "-q", "-d", str(folder / "doctrees"), f"{folder}/source", f"{folder}/{name}"]
        )
    (folder / f"{name}.txt").write_text(f"{code} {said.getvalue()}", encoding="utf-8")


def build_all(folder: Path) -> None:
    """Write the book and build it twice."""
    folders = ("", "book", "book/extensions", "tests/support", "tests/lessons/kit/figures")
    sys.path[:0] = [str(ROOT / name) for name in folders]
    from asset_sample.sample import content, figure_class, weights
    from widget_page import CONF, notebook

    from lessons.kit.figures.registry import FIGURES, SoftmaxLab

    source = folder / "source"
    source.mkdir()
    model = source / "model.bin"
    model.write_bytes(content(weights()))
    figure = figure_class(model)
    FIGURES[figure.name] = figure  # for this process: a figure of this book
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "index.md").write_text(INDEX, encoding="utf-8")
    figures = [figure(row=row) for row in ROWS]
    nbformat.write(notebook(TEXT, "show_figures()", figures), source / "far.ipynb")
    SoftmaxLab.asset_files = {"words": source / "index.md"}  # on no page, so in no build
    build(folder, "first")
    model.unlink()
    build(folder, "missing")


if __name__ == "__main__":
    build_all(Path(sys.argv[1]))
