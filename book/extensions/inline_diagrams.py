"""Put the diagrams of the chapters into their pages, where they take the page's colours.

myst-nb writes a diagram as a reference to a widget's model. In its place goes the drawing itself,
which needs no script. `living_figures` then does the rest of the widgets.
"""

from pathlib import Path

from docutils import nodes
from living_figures import saved_views
from sphinx.application import Sphinx

from lessons.kit.diagrams import Diagram
from lessons.kit.diagrams.diagram import stylesheet

DIAGRAM = f"{Diagram.__module__}.{Diagram.__name__}"  # anywidget's name for the class


def replace_diagrams(app: Sphinx, doctree: nodes.document) -> None:
    """Swap the widget view of every diagram for its drawing."""
    for node, model in saved_views(app, doctree):
        if model.get("_anywidget_id") == DIAGRAM:
            node.replace_self(nodes.raw("", model["html"], format="html"))


def write_stylesheet(app: Sphinx) -> None:
    """Write the look of the diagrams where the pages look for it."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "diagrams.css").write_text(stylesheet(), "utf-8")


def setup(app: Sphinx) -> None:
    app.add_css_file("diagrams.css")
    app.connect("builder-inited", write_stylesheet)
    app.connect("doctree-read", replace_diagrams, priority=400)  # living_figures drops the models
