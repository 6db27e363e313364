"""A page with all drills, built by Sphinx with the book's own extension.

Usage: python book.py FOLDER

It is built into FOLDER/html/drills.html. The last drill has a seed.
"""

import sys
from pathlib import Path

import nbformat
from ipywidgets import Widget
from nbformat import v4

ROOT = Path(__file__).resolve().parents[2]
SEEDED = "scores"
SEED = 5
CONF = """
extensions = ["myst_nb", "living_figures"]
html_theme = "basic"
html_theme_options = {"body_min_width": 0}
html_copy_source = False
nb_execution_mode = "off"
nb_ipywidgets_js = {}
"""
VIEW = "application/vnd.jupyter.widget-view+json"


def notebook(drills: list[Widget]) -> nbformat.NotebookNode:
    """Return a notebook as Jupyter saves it, with all drills in one cell."""
    views = [{"model_id": drill.model_id, "version_major": 2} for drill in drills]
    shown = [v4.new_output("display_data", {VIEW: view, "text/plain": ""}) for view in views]
    cells = [v4.new_markdown_cell("# Drills"), v4.new_code_cell("drills()", outputs=shown)]
    state = Widget.get_manager_state(widgets=drills)
    metadata = {
        "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        "widgets": {"application/vnd.jupyter.widget-state+json": state},
    }
    return v4.new_notebook(cells=cells, metadata=metadata)


def build(folder: Path) -> int:
    """Write the book and build it; each warning is an error."""
    sys.path[:0] = [str(ROOT), str(ROOT / "book/_ext")]
    from sphinx.cmd.build import main

    from transformer_lite.drills import DRILLS, drill

    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "index.md").write_text("# Book\n\n```{toctree}\ndrills\n```\n", encoding="utf-8")
    drills = [*map(drill, DRILLS), drill(SEEDED, seed=SEED)]
    nbformat.write(notebook(drills), source / "drills.ipynb")
    return main(["-W", "-q", "-d", f"{folder}/doctrees", str(source), f"{folder}/html"])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
