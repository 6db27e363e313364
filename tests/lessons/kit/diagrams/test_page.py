"""How a diagram gets into its page: the drawing instead of the widget, and no script."""

import json
from types import SimpleNamespace

import inline_diagrams
import live_figures
import pytest
from docutils import nodes
from docutils.utils import new_document
from myst_nb.sphinx_ import NbMetadataCollector

from lessons.kit.diagrams.machine import machine

VIEW = '<script type="application/vnd.jupyter.widget-view+json">{}</script>'
FIGURE = {"_anywidget_id": "lessons.kit.figures.registry.some.Other"}


def view(model: str) -> nodes.raw:
    return nodes.raw("", VIEW.format(json.dumps({"model_id": model})), format="html")


@pytest.fixture
def page(monkeypatch) -> tuple[SimpleNamespace, nodes.document, str]:
    """Provide a page with a diagram, another widget, and the state that myst-nb saves."""
    diagram = machine(["norm"])
    state = {key: value for key, value in diagram.get_state().items() if key != "layout"}
    models = {"1": {"state": state}, "2": {"state": FIGURE}}
    scripts = {"ipywidgets_state": (None, {"body": json.dumps({"state": models}, default=str)})}
    monkeypatch.setattr(NbMetadataCollector, "get_js_files", lambda *_: scripts)
    doctree = new_document("page")
    doctree.extend([view("1"), view("2"), nodes.raw("", "<p>plain</p>", format="html")])
    app = SimpleNamespace(env=SimpleNamespace(docname="page"))
    return app, doctree, diagram.to_html()


def test_drawing_is_inlined_and_other_widgets_stay(page):
    app, doctree, html = page
    inline_diagrams.replace_diagrams(app, doctree)
    shown = [node.astext() for node in doctree.findall(nodes.raw)]
    assert shown == [html, view("2").astext(), "<p>plain</p>"]
    assert "<script" not in shown[0]


def test_other_widgets_still_find_their_models(page):
    app, doctree, html = page
    inline_diagrams.replace_diagrams(app, doctree)
    live_figures.replace_widgets(app, doctree)
    assert [node.astext() for node in doctree.findall(nodes.raw)][:2] == [html, live_figures.NOTE]


@pytest.mark.parametrize(("kind", "is_written"), [("html", True), ("latex", False)])
def test_the_stylesheet_is_written_for_pages(tmp_path, kind, is_written):
    app = SimpleNamespace(builder=SimpleNamespace(format=kind), outdir=tmp_path)
    inline_diagrams.write_stylesheet(app)
    file = tmp_path / "_static/diagrams.css"
    assert file.is_file() == is_written
    if is_written:
        assert ".tl-d-query" in file.read_text(encoding="utf-8")
