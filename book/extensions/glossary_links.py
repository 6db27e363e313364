"""Link the terms that a chapter sets in bold to their entries in the glossary.

A notebook cannot use Sphinx's {term} role, because JupyterLab would show it raw. Instead a chapter
sets a term in bold where it defines it, and the built page turns the bold text into a link.
"""

from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.util.nodes import make_refnode


def forms(text: str) -> list[str]:
    """Return the forms in which a glossary may list a bold text: without a period, in singular."""
    text = text.rstrip(".:").casefold()
    return [text, text.removesuffix("s"), f"{text.removesuffix('ies')}y"]


def link_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link each bold text of a chapter that is a glossary term to its entry."""
    if not docname.startswith("notebooks/"):
        return
    standard = cast(StandardDomain, app.env.get_domain("std"))
    known = {
        name.casefold(): (page, anchor)
        for (kind, name), (page, anchor) in standard.objects.items()
        if kind == "term"
    }
    for strong in list(doctree.findall(nodes.strong)):
        found = next(filter(None, map(known.get, forms(strong.astext()))), None)
        if found and not isinstance(strong.parent, nodes.reference):
            copy = strong.deepcopy()
            link = make_refnode(app.builder, docname, *found, copy, "in the glossary")
            link["classes"].append("glossary-link")
            strong.replace_self(link)


def setup(app: Sphinx) -> None:
    app.connect("doctree-resolved", link_terms)
