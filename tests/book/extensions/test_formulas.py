"""Formulas are rendered during the build, and an invalid one stops it."""

import multiprocessing
import os
import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from formulas import keep_stops, put, render
from sphinx.errors import ExtensionError


@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_rendered_as_html_and_mathml(display):
    html = render(r"\frac{a}{b}", display)
    assert "<mfrac><mi>a</mi><mi>b</mi></mfrac>" in html
    assert r'<annotation encoding="application/x-tex">\frac{a}{b}</annotation>' in html
    assert '<span class="katex-html" aria-hidden="true">' in html
    assert ('display="block"' in html) == display


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what Sphinx does, threads or not
def test_formulas_are_rendered_in_forked_processes_too():
    render("a + b", display=False)  # starts the engine of this process
    child = multiprocessing.get_context("fork").Process(target=render, args=("c + d", False))
    child.start()
    child.join(timeout=60)
    hangs = child.is_alive()
    child.kill()
    assert not hangs
    assert child.exitcode == 0


@pytest.mark.parametrize(
    ("tex", "letters"),
    [
        ("QK^T V", ["letter-q", "letter-k", "letter-v"]),
        (r"\mathbf{Q} + W^Q", ["letter-q", "letter-q"]),
        (r"q \text{Q} d_k", []),
    ],
)
def test_q_k_and_v_get_the_class_of_their_colour(tex, letters):
    assert re.findall(r"letter-\w", render(tex, True)) == letters


@pytest.mark.parametrize("tex", [r"\nosuchcommand", r"\frac{a}", "é"])
def test_an_invalid_formula_stops_the_build_and_is_named_with_its_page(tex):
    builder = SimpleNamespace(current_docname="notebooks/07_scaling")
    translator = SimpleNamespace(body=[], builder=builder)
    named = f"^notebooks/07_scaling: KaTeX parse error: .*, in the formula {re.escape(repr(tex))}$"
    with pytest.raises(ExtensionError, match=named):
        put(translator, tex, display=False)
    assert translator.body == []


def words(*parts: nodes.Node) -> nodes.document:
    page = new_document("page")
    page += nodes.paragraph("", "", *parts)
    return page


@pytest.mark.parametrize(
    ("after", "kept", "rest"),
    [
        (". Then", ".", " Then"),
        ("), so", "),", " so"),
        ("-th row", "-th", " row"),
        ("”.", "”.", ""),
    ],
)
def test_punctuation_stays_on_the_line_of_its_formula(after, kept, rest):
    page = words(nodes.Text("It is "), nodes.math("", "x + 1"), nodes.Text(after))
    keep_stops(None, page, "page")
    whole = page[0][1]
    assert whole["classes"] == ["tl-whole"] and whole.astext() == "x + 1" + kept
    assert page[0].astext() == "It is x + 1" + after and page[0][2].astext() == rest
