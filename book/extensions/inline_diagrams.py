"""Insert the chapters' diagrams into their pages, so that they use the page's colours.

myst-nb writes a diagram as a reference to a widget's model. This extension replaces it with the
drawing itself, which needs no script. `live_figures` then handles the other widgets.
"""

from pathlib import Path

from docutils import nodes
from live_figures import saved_views
from sphinx.application import Sphinx

from lessons.kit.diagrams import Diagram
from lessons.kit.diagrams.diagram import stylesheet

DIAGRAM = f"{Diagram.__module__}.{Diagram.__name__}"  # the id that anywidget gives the class


def replace_diagrams(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the widget view of every diagram with its drawing."""
    for node, model in saved_views(app, doctree):
        if model.get("_anywidget_id") == DIAGRAM:
            node.replace_self(nodes.raw("", model["html"], format="html"))


def write_stylesheet(app: Sphinx) -> None:
    """Write the stylesheet of the diagrams where the pages load it from."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "diagrams.css").write_text(stylesheet(), "utf-8")


def setup(app: Sphinx) -> None:
    app.add_css_file("diagrams.css")
    app.connect("builder-inited", write_stylesheet)
    app.connect("doctree-read", replace_diagrams, priority=400)  # before live_figures
