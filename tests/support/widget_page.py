"""A page of widgets in a small book, for Sphinx with the book's own extension."""

import nbformat
from ipywidgets import Widget
from nbformat import v4

CONF = """
extensions = ["myst_nb", "live_figures"]
html_theme = "basic"
html_theme_options = {"body_min_width": 0}
html_copy_source = False
nb_execution_mode = "off"
nb_ipywidgets_js = {}
"""
VIEW = "application/vnd.jupyter.widget-view+json"


def notebook(text: str, source: str, widgets: list[Widget]) -> nbformat.NotebookNode:
    """Return a notebook as Jupyter saves it: a text, a cell that shows widgets, their state."""
    views = [{"model_id": widget.model_id, "version_major": 2} for widget in widgets]
    shown = [v4.new_output("display_data", {VIEW: view, "text/plain": ""}) for view in views]
    cells = [v4.new_markdown_cell(text), v4.new_code_cell(source, outputs=shown)]
    state = Widget.get_manager_state(widgets=widgets)
    metadata = {
        "language_info": {"name": "python", "pygments_lexer": "ipython3"},
        "widgets": {"application/vnd.jupyter.widget-state+json": state},
    }
    return v4.new_notebook(cells=cells, metadata=metadata)
