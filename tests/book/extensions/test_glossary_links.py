"""A term that a chapter sets in bold leads to the glossary."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from glossary_links import link_terms

TERMS = {("term", "Query"): ("book/glossary", "term-Query"), ("doc", "text"): ("a", "b")}


def linked(paragraph: nodes.paragraph, page: str = "notebooks/05_attention") -> list[str]:
    """Return the addresses of a paragraph's links, once its terms are linked."""
    domain = SimpleNamespace(objects=TERMS)
    app = SimpleNamespace(
        env=SimpleNamespace(get_domain=lambda _: domain),
        builder=SimpleNamespace(get_relative_uri=lambda here, there: f"{there}.html"),
    )
    document = nodes.section("", paragraph)
    link_terms(app, document, page)
    return [link["refuri"] for link in document.findall(nodes.reference)]


def bold(text: str) -> nodes.strong:
    return nodes.strong(text, text)


@pytest.mark.parametrize("text", ["query", "Query.", "queries", "Queries:"])
def test_a_term_in_bold_leads_to_its_entry(text):
    assert linked(nodes.paragraph("", "", bold(text))) == ["book/glossary.html#term-Query"]


@pytest.mark.parametrize("text", ["text", "a query"])
def test_bold_text_that_is_not_a_term_is_not_linked(text):
    assert linked(nodes.paragraph("", "", bold(text))) == []
