"""Put the live figures on the page: picture, state and script instead of a kernel's widget.

myst-nb writes a widget as a reference to a model, and the state of all models as JSON. This
extension reads both, gets the HTML from the figure's class and drops the state. A widget that is
not one of the book's figures needs a kernel, so a note that says so replaces it. For a progress
bar, the note also says how far it got.

A figure's assets are written only if a page uses the figure. Each asset is one file, named after
its content, so that figures and pages share it.
"""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from lessons.kit.drills import DRILLS
from lessons.kit.drills.live_drill import SHEET
from lessons.kit.figures import LiveFigure
from lessons.kit.figures.assets import asset_key, asset_script
from lessons.kit.figures.live_figure import (
    core_files,
    core_script,
    kit_files,
    kit_script,
    page_script,
    stylesheet,
)
from lessons.kit.figures.registry import FIGURES

ALIVE: dict[str, type[LiveFigure]] = FIGURES | DRILLS
BY_ID = {f"{cls.__module__}.{cls.__name__}": cls for cls in ALIVE.values()}  # anywidget's ids
VIEW = re.compile(r"vnd\.jupyter\.widget-view\+json\">(?P<json>.*?)</script>", re.DOTALL)
NOTE = '<p class="tl-note">This control needs a kernel. Run this chapter live to use it.</p>'
BAR = '<p class="tl-note">{}. Run this chapter live to watch it.</p>'


def module_of(name: str) -> Path:
    """Return the path of a figure's module."""
    return ALIVE[name].script


def shared_scripts(*names: str) -> list[str]:
    """Return the scripts that a page of these figures loads before theirs, in this order."""
    kit = kit_files(*map(module_of, names))
    return ["host", *(f"kit/{name}" for name in kit if name not in core_files())]


def figure_of(model: dict) -> LiveFigure | None:
    """Rebuild the figure of a saved model; return None if it is not one of the book's."""
    cls = BY_ID.get(model.get("_anywidget_id"))
    if cls is None:
        return None
    names = cls.class_trait_names(sync=True, figure=True)
    return cls(**{name: model[name] for name in names})


def text_of(model: dict) -> str:
    """Return the HTML for a saved model: a figure, the last state of a progress bar, or a note."""
    figure = figure_of(model)
    if figure:
        return figure.to_html()
    if model.get("_model_name") == "IntProgressModel":
        return BAR.format(html.escape(model["description"]))
    return NOTE


def assets_of(name: str, page: str) -> list[bytes]:
    """Return the contents of a figure's assets.

    Raises:
        ExtensionError: a file is missing; the message names the page, figure, asset and path.
    """
    cls = ALIVE[name]
    try:
        return [*cls.asset_contents().values()]
    except FileNotFoundError as missing:
        raise ExtensionError(f"{page}: {missing}") from missing


def saved_views(app: Sphinx, doctree: nodes.document) -> Iterator[tuple[nodes.raw, dict]]:
    """Yield every widget view of a page, with the saved state of its model."""
    scripts = NbMetadataCollector.get_js_files(app.env, app.env.docname)
    _, saved = scripts.get("ipywidgets_state", (None, {"body": '{"state": {}}'}))
    models = json.loads(saved["body"])["state"]
    for node in list(doctree.findall(nodes.raw)):
        if match := VIEW.search(node.astext()):
            view = json.loads(match["json"])
            view = json.loads(view) if isinstance(view, str) else view
            yield node, models.get(view["model_id"], {}).get("state", {})


def replace_widgets(app: Sphinx, doctree: nodes.document) -> None:
    """Replace every widget view of a page with its figure's HTML, and drop the widget state."""
    docname = app.env.docname
    used = set()
    for node, model in saved_views(app, doctree):
        cls = BY_ID.get(model.get("_anywidget_id"))
        if cls:
            used.add(cls.name)
            assets_of(cls.name, docname)
            for path in cls.asset_files.values():
                parts = kit_files(path).values() if path.suffix == ".js" else ()
                for part in (path, *parts):
                    app.env.note_dependency(str(part))
        node.replace_self(nodes.raw("", text_of(model), format="html"))
    NbMetadataCollector.get_js_files(app.env, docname).pop("ipywidgets_state", None)
    if used:
        NbMetadataCollector.set_doc_data(app.env, docname, "live_figures", sorted(used))


def add_scripts(app: Sphinx, pagename: str, *_) -> None:
    """Load the host, the shared scripts, and the scripts of only the figures on this page.

    The figures' assets are written to files, which the host loads when it needs them.
    """
    used = NbMetadataCollector.get_doc_data(app.env)[pagename].get("live_figures", [])
    for name in [*shared_scripts(*used), *used] if used else []:
        app.add_js_file(f"figures/{name}.js", loading_method="defer")
    for content in [content for name in used for content in assets_of(name, pagename)]:
        folder = Path(app.outdir) / "_static/figures/assets"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{asset_key(content)}.js").write_text(asset_script(content), "utf-8")


def write_files(app: Sphinx) -> None:
    """Write the figures' scripts and one stylesheet where the pages load them from."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "figures"
    (folder / "kit").mkdir(parents=True, exist_ok=True)
    (folder / "host.js").write_text(core_script(), "utf-8")
    for name, path in kit_files(*map(module_of, ALIVE)).items():
        if name not in core_files():
            (folder / "kit" / f"{name}.js").write_text(kit_script(path), "utf-8")
    for cls in ALIVE.values():
        (folder / f"{cls.name}.js").write_text(page_script(cls.script), "utf-8")
    sheet = stylesheet(*(cls.script for cls in FIGURES.values()))
    (folder / "figures.css").write_text(sheet + SHEET, "utf-8")


def setup(app: Sphinx) -> None:
    app.add_css_file("figures/figures.css")
    app.connect("builder-inited", write_files)
    app.connect("doctree-read", replace_widgets)
    app.connect("html-page-context", add_scripts)
