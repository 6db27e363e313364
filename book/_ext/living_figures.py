"""Put the live figures on the page: picture, state and script instead of a kernel's widget.

myst-nb writes a widget as a reference to a model, and all models' state as JSON. This extension
reads both, asks the figure's class for its HTML and drops the state. A widget that is not one of
the book's figures needs a kernel; in its place stands a note that says so, for a progress bar with
how far it came.
"""

import html
import json
import re
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx

from transformer_lite.figures import LiveFigure
from transformer_lite.figures._base import FOLDER, page_script, stylesheet

FIGURES = {f"{cls.__module__}.{cls.__name__}": cls for cls in LiveFigure.__subclasses__()}
VIEW = re.compile(r"vnd\.jupyter\.widget-view\+json\">(?P<json>.*?)</script>", re.DOTALL)
NOTE = '<p class="tl-note">This control needs a kernel. Run this chapter live to use it.</p>'
BAR = '<p class="tl-note">{}. Run this chapter live to watch it.</p>'


def figure_of(model: dict) -> LiveFigure | None:
    """Make the figure again from a saved model; None if it is not one of the book's."""
    cls = FIGURES.get(model.get("_anywidget_id"))
    if cls is None:
        return None
    names = cls.class_trait_names(sync=True, figure=True)
    return cls(**{name: model[name] for name in names})


def text_of(model: dict) -> str:
    """Return what a page shows for a saved model: a figure, a bar's last state, or a note."""
    figure = figure_of(model)
    if figure:
        return figure.to_html()
    if model.get("_model_name") == "IntProgressModel":
        return BAR.format(html.escape(model["description"]))
    return NOTE


def replace_widgets(app: Sphinx, doctree: nodes.document) -> None:
    """Swap every widget view of a page for its figure's HTML, and forget the widget state."""
    docname = app.env.docname
    scripts = NbMetadataCollector.get_js_files(app.env, docname)
    _, saved = scripts.pop("ipywidgets_state", (None, {"body": '{"state": {}}'}))
    models = json.loads(saved["body"])["state"]
    used = set()
    for node in list(doctree.findall(nodes.raw)):
        match = VIEW.search(node.astext())
        if match is None:
            continue
        view = json.loads(match["json"])
        view = json.loads(view) if isinstance(view, str) else view
        model = models.get(view["model_id"], {}).get("state", {})
        cls = FIGURES.get(model.get("_anywidget_id"))
        used |= {cls.name} if cls else set()
        node.replace_self(nodes.raw("", text_of(model), format="html"))
    if used:
        NbMetadataCollector.set_doc_data(app.env, docname, "living_figures", sorted(used))


def add_scripts(app: Sphinx, pagename: str, *_) -> None:
    """Load the host and the scripts of the figures that stand on this page, and no others."""
    used = NbMetadataCollector.get_doc_data(app.env)[pagename].get("living_figures", [])
    for name in ["host", *used] if used else []:
        app.add_js_file(f"figures/{name}.js", loading_method="defer")


def write_files(app: Sphinx) -> None:
    """Write the figures' scripts and one stylesheet where the pages look for them."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "host.js").write_text((FOLDER / "host.js").read_text("utf-8"), "utf-8")
    for cls in FIGURES.values():
        (folder / f"{cls.name}.js").write_text(page_script(cls.name), "utf-8")
    sheet = stylesheet(*(cls.name for cls in FIGURES.values()))
    (folder / "figures.css").write_text(sheet, "utf-8")


def setup(app: Sphinx) -> dict:
    app.add_css_file("figures/figures.css")
    app.connect("builder-inited", write_files)
    app.connect("doctree-read", replace_widgets)
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
